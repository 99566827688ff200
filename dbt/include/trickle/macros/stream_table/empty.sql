{#- `--empty` proves that the SQL compiles. A relation that exists keeps its rows and its state; one that does not is
    put up as a view without storage, which the first real run takes for what it is: nothing built yet. -#}

{% macro trickle_build_empty(relation) %}
  {% if load_cached_relation(this) is none %}
    {% call statement('main') %}
      create or replace view {{ relation }} as
      {{ compiled_code }}
    {% endcall %}
  {% else %}
    {% call noop_statement('main', 'EMPTY kept as it is', 'EMPTY') %}
      explain {{ compiled_code }}
    {% endcall %}
    {% do run_query('explain ' ~ compiled_code) %}
  {% endif %}
{% endmacro %}
