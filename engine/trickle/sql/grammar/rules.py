"""The grammar rules: `name = body`; a line that begins with blanks continues the line before.

CAPITALS are words, 'signs' are signs, lower case names other rules. [a] is optional, a* repeats any number of times,
a+ at least once, {a} is a comma-separated list, a | b are alternatives. Operator precedence does not matter here.
"""

from __future__ import annotations

QUERIES = """
statement = query ';'*
query = [ctes] query_term organization
ctes = WITH [RECURSIVE] {named_query}
named_query = identifier ['(' {identifier} ')'] [MAX RECURSION LEVEL number] [AS] '(' query ')'
organization = [ORDER BY {sort_item}] [CLUSTER BY {expression}] [DISTRIBUTE BY {expression}] [SORT BY {sort_item}]
    [windows] [LIMIT limit] [OFFSET expression]
limit = ALL | expression
sort_item = expression [ASC | DESC] [NULLS (FIRST | LAST)]
query_term = query_primary (set_operation | pipe)*
set_operation = (UNION | INTERSECT | EXCEPT | MINUS) [ALL | DISTINCT] query_primary
query_primary = select | transform | FROM from_rest from_body* | TABLE name_path | VALUES {expression} table_alias |
    '(' query ')'
from_body = SELECT [ALL | DISTINCT] {named_expression} lateral_view* [WHERE expression] [grouping] [HAVING
    expression] [QUALIFY expression] [windows] organization
select = SELECT [ALL | DISTINCT] {named_expression} [FROM from_rest] lateral_view* [WHERE expression] [grouping]
    [HAVING expression] [QUALIFY expression] [windows]
transform = (SELECT TRANSFORM '(' [ALL | DISTINCT] {expression} ')' | (MAP | REDUCE) {expression}) USING text [AS
    ('(' {made} ')' | {made})] [FROM from_rest] lateral_view* [WHERE expression] [grouping] [HAVING expression]
    [windows]
made = identifier [type]
named_expression = expression [[AS] (identifier | '(' {identifier} ')')]
grouping = GROUP BY {group_item} [WITH (CUBE | ROLLUP) | GROUPING SETS '(' {grouping_set} ')']
group_item = analytics | expression
analytics = (ROLLUP | CUBE) '(' {grouping_set} ')' | GROUPING SETS '(' {grouping_element} ')'
grouping_element = analytics | grouping_set
grouping_set = '(' [{expression}] ')' | expression
windows = WINDOW {named_window}
named_window = identifier AS window
"""

RELATIONS = """
from_rest = {relation} lateral_view* [pivot | unpivot]
relation = [LATERAL] relation_primary (join | pivot | unpivot)*
join = NATURAL join_type JOIN [LATERAL] relation_primary | (join_type | CROSS) JOIN [LATERAL] relation_primary [ON
    expression | USING '(' {identifier} ')']
join_type = [INNER | CROSS | LEFT [OUTER] | RIGHT [OUTER] | FULL [OUTER] | [LEFT] SEMI | [LEFT] ANTI]
relation_primary = VALUES {expression} table_alias | call_name '(' [{argument}] ')' table_alias | name_path
    [at_version] [sample] table_alias | '(' query ')' [sample] table_alias | '(' relation ')' [sample] table_alias
at_version = [FOR] (VERSION | SYSTEM_VERSION) AS OF (number | text) | [FOR] (TIMESTAMP | SYSTEM_TIME) AS OF value
sample = TABLESAMPLE [SYSTEM | BERNOULLI] '(' sampled ')' [REPEATABLE '(' number ')']
sampled = ['-'] number PERCENT | expression ROWS | BUCKET number OUT OF number [ON expression] | expression
table_alias = [[AS] alias ['(' {identifier} ')']]
lateral_view = LATERAL VIEW [OUTER] name_path '(' [{expression}] ')' view_alias [[AS] {identifier}]
view_alias = identifier
pivot = PIVOT '(' {named_expression} FOR pivot_column IN '(' {named_expression} ')' ')' [[AS] alias]
pivot_column = identifier | '(' {identifier} ')'
unpivot = UNPIVOT [(INCLUDE | EXCLUDE) NULLS] '(' unpivoted ')' [[AS] alias]
unpivoted = identifier FOR identifier IN '(' {name_path [[AS] identifier]} ')' | '(' {identifier} ')' FOR identifier
    IN '(' {'(' {name_path} ')' [[AS] identifier]} ')'
"""

PIPES = """
pipe = '|>' pipe_step
pipe_step = SELECT [ALL | DISTINCT] {named_expression} [windows] | EXTEND {named_expression} | SET {identifier '='
    expression} | DROP {identifier} | AS identifier | WHERE expression | (pivot | unpivot) | sample | join |
    set_operation | AGGREGATE [{named_expression}] [GROUP BY {pipe_group} [WITH (CUBE | ROLLUP) | GROUPING SETS '('
    {grouping_set} ')']] | LIMIT limit [OFFSET expression] | OFFSET expression | ORDER BY {sort_item} [LIMIT limit]
    [OFFSET expression] | (CLUSTER | DISTRIBUTE) BY {expression} | SORT BY {sort_item}
pipe_group = analytics | named_expression
"""

EXPRESSIONS = """
expression = condition ((AND | OR) condition)*
condition = (NOT | '!')* (EXISTS '(' query ')' | value [predicate])
predicate = [NOT] BETWEEN value AND value | [NOT] IN '(' (query | {expression}) ')' | [NOT] (RLIKE | REGEXP) value |
    [NOT] (LIKE | ILIKE) (ANY | SOME | ALL) '(' [{expression}] ')' | [NOT] (LIKE | ILIKE) value [ESCAPE text] | IS
    [NOT] (NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM value)
value = operand (operator operand)*
operator = '*' | '/' | '%' | DIV | '+' | '-' | '||' | '<<' | '>' '>' | '>' '>' '>' | '&' | '^' | '|' | '=' | '==' |
    '<=>' | '<>' | '!=' | '<' | '<=' | '!>' | '>' | '>=' | '!<'
operand = ('-' | '+' | '~')* primary postfix*
postfix = '.' identifier | '.' '*' [except] | '[' value ']' | '::' type | ':' path | COLLATE name_path
path = path_step ('.' path_step | '[' (value | '*') ']')*
path_step = identifier | text | '[' (value | '*') ']'
except = EXCEPT '(' {name_path} ')'
primary = constant | case | special_call | call | lambda | '*' [except] | '(' query ')' | '(' expression ')' | '('
    named_expression ',' {named_expression} ')' | identifier
lambda = identifier '->' expression | '(' {identifier} ')' '->' expression
case = CASE [expression] (WHEN expression THEN expression)+ [ELSE expression] END
constant = number | text+ | interval | (DATE | TIMESTAMP | TIMESTAMP_NTZ | TIMESTAMP_LTZ | TIME | X) text | ':'
    identifier | '?' | variable
variable = '$' '{' name_path '}'
interval = INTERVAL (interval_value unit)+ | INTERVAL interval_value unit TO unit | INTERVAL text
interval_value = ['+' | '-'] (number | text)
"""

CALLS = """
call = call_name '(' [ALL | DISTINCT] [{argument}] ')' [WITHIN GROUP '(' ORDER BY {sort_item} ')'] [FILTER '(' WHERE
    expression ')'] [(IGNORE | RESPECT) NULLS] [OVER window]
argument = identifier '=>' (expression | TABLE '(' query ')' | TABLE '(' name_path ')') | expression | TABLE '('
    (query | name_path) ')' | TABLE name_path
window = identifier | '(' identifier ')' | '(' window_order [frame] ')'
window_order = CLUSTER BY {expression} | [(PARTITION | DISTRIBUTE) BY {expression}] [(ORDER | SORT) BY {sort_item}]
frame = (RANGE | ROWS) (bound | BETWEEN bound AND bound)
bound = UNBOUNDED (PRECEDING | FOLLOWING) | CURRENT ROW | value (PRECEDING | FOLLOWING)
special_call = (CAST | TRY_CAST) '(' expression AS type ')' | (FIRST | LAST | ANY_VALUE) '(' expression [IGNORE
    NULLS] ')' after_call | STRUCT '(' [{named_expression}] ')' | EXTRACT '(' identifier FROM value ')' | POSITION
    '(' value IN value ')' | (SUBSTR | SUBSTRING) '(' value FROM value [FOR value] ')' | TRIM '(' [BOTH | LEADING |
    TRAILING] [value] FROM value ')' | OVERLAY '(' value PLACING value FROM value [FOR value] ')'
after_call = [FILTER '(' WHERE expression ')'] [(IGNORE | RESPECT) NULLS] [OVER window]
"""

TYPES = """
type = ARRAY '<' type '>' | MAP '<' type ',' type '>' | STRUCT ('<' [{field}] '>' | '<>') | INTERVAL unit [TO unit]
    | (CHAR | CHARACTER | VARCHAR) '(' number ')' | (DECIMAL | DEC | NUMERIC) ['(' number [',' number] ')'] | TIME
    ['(' number ')'] [WITHOUT TIME ZONE] | TIMESTAMP [(WITHOUT | WITH LOCAL) TIME ZONE] | STRING [COLLATE name_path]
    | (GEOMETRY | GEOGRAPHY) '(' (number | ANY) ')' | plain_type
plain_type = BOOLEAN | TINYINT | BYTE | SMALLINT | SHORT | INT | INTEGER | BIGINT | LONG | FLOAT | REAL | DOUBLE |
    DATE | TIMESTAMP_NTZ | TIMESTAMP_LTZ | BINARY | VOID | VARIANT | INTERVAL
field = identifier [':'] type [NOT NULL] [COMMENT text]
unit = YEAR | YEARS | MONTH | MONTHS | WEEK | WEEKS | DAY | DAYS | HOUR | HOURS | MINUTE | MINUTES | SECOND |
    SECONDS | MILLISECOND | MILLISECONDS | MICROSECOND | MICROSECONDS | NANOSECOND | NANOSECONDS
"""

RULES = QUERIES + RELATIONS + PIPES + EXPRESSIONS + CALLS + TYPES
