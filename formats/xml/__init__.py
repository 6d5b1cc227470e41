"""Sitemap and feed XML, damaged or not: the two lanes, the blocks of a url, the writing."""
