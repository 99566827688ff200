{#- The shop's own day, run on dbt's connection: what an application would do to its tables behind dbt's back. -#}
{% macro run_statements(statements) %}
  {% for statement in statements %}
    {% do log(statement.title, info=true) %}
    {% do run_query(statement.sql) %}
  {% endfor %}
{% endmacro %}
