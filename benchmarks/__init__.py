"""How fast urlset is and how much memory it takes, beside a bare scan of the same bytes and beside other libraries."""
