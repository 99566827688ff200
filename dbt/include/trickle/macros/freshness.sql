{#- `dbt source freshness` without a `loaded_at_field`: the Delta log knows when rows last changed. No SQL is run. -#}
{% macro trickle__get_relation_last_modified(information_schema, relations) %}
  {% do store_result('last_modified', response=none, agate_table=adapter.trickle_last_modified(relations)) %}
  {{ return(load_result('last_modified')) }}
{% endmacro %}
