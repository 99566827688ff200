"""What stands in FROM: tables, views, joins, generated rows."""
