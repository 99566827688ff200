{#- `dbt run-operation trickle_status`, `dbt run-operation trickle_history --args '{model: revenue}'`: from Delta logs,
    without starting Spark. -#}

{% macro trickle_status(format='text') %}
  {% do print(adapter.trickle_status(graph, format)) %}
{% endmacro %}

{% macro trickle_history(model, limit=20, format='text') %}
  {% do print(adapter.trickle_history(graph, model, limit, format)) %}
{% endmacro %}
