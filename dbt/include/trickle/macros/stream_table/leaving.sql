{#- When a model stops being a stream table, its storage is retired first, so that the name is not read as a stream table
    any more, and dropped after the new relation exists, so that no rows are lost before. -#}

{% macro trickle_retire_stream_table(relation) %}
  {% if adapter.trickle_can_retire(relation) %}
    {% call statement('retire_storage') %}
      alter table {{ adapter.trickle_storage(relation) }} set tblproperties ('trickle.retired' = 'true')
    {% endcall %}
  {% endif %}
{% endmacro %}

{% macro trickle_drop_retired_storage(relation) %}
  {% set storage = adapter.trickle_storage(relation) %}
  {% if storage is not none %}
    {% do adapter.trickle_drop_arrangements(relation) %}
    {% call statement('drop_storage') %}drop table if exists {{ storage }}{% endcall %}
    {% do adapter.trickle_clear_away(relation) %}
  {% endif %}
{% endmacro %}

{#- Dropping a stream table by its name drops what is behind it. -#}
{% macro trickle__drop_relation(relation) %}
  {% call statement('drop_relation', auto_begin=False) %}
    drop {{ relation.type }} if exists {{ relation }}
  {% endcall %}
  {% if adapter.trickle_is_active(relation) %}
    {% do trickle_drop_retired_storage(relation) %}
  {% endif %}
{% endmacro %}

{#- An ephemeral model is never run: those that depend on it clear away what it was before. -#}
{% macro trickle_drop_former_stream_tables() %}
  {% for id in model.depends_on.nodes if graph.nodes[id] is defined and graph.nodes[id].config.materialized == 'ephemeral' %}
    {% set node = graph.nodes[id] %}
    {% set relation = api.Relation.create(database=none, schema=node.schema, identifier=node.alias, type='view') %}
    {% if adapter.trickle_shows(relation) %}
      {% do adapter.drop_relation(relation) %}
    {% endif %}
    {% do trickle_drop_retired_storage(relation) %}
  {% endfor %}
{% endmacro %}
