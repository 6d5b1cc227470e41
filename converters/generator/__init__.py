"""Google's Sitemap Generator: the job that a config.xml of sitemap_gen.py 1.x describes, done with today's formats.

    config.py   what such a file says, and what is wrong with it
    news.py     its lists of news
    job.py      the job

What it did in 2005 and is not done today: priorities from the number of visits (nothing is invented), and pings of
search engines (they take none any more).
"""

from urlset.converters.generator.config import Config, Input, is_config, read_config
from urlset.converters.generator.job import run

__all__ = ["Config", "Input", "is_config", "read_config", "run"]
