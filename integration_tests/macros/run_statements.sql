{#- The shop's own day, run on dbt's connection: what an application would do to its tables behind dbt's back. -#}
{% macro run_statements(statements) %}
  {% for statement in statements %}
    {% if statement.title %}
      {% do log(statement.title, info=true) %}
    {% endif %}
    {% do run_query(statement.sql) %}
  {% endfor %}
{% endmacro %}
