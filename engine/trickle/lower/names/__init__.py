"""What a name in a query is: columns, stars, fields of structs."""
