{#- The view users read. -#}

{% macro trickle_facade_ddl(refresh, relation) %}
  {%- set facade = refresh.facade -%}
  create or replace view {{ relation }}
  {%- if facade.has_column_comments %} (
    {%- for column in facade.columns %}
    {{ adapter.quote(column.name) }}{% if column.comment %} comment {{ trickle_string_literal(column.comment) }}{% endif %}
    {{- ',' if not loop.last }}
    {%- endfor %}
  )
  {%- endif %}
  {%- if facade.comment %}
  comment {{ trickle_string_literal(facade.comment) }}
  {%- endif %}
  tblproperties (
    'trickle.storage' = {{ trickle_string_literal(refresh.storage.render()) }}, 'trickle.text' = '{{ facade.text_fingerprint }}')
  as
  {{ facade.sql }}
{% endmacro %}

{#- The markers come last: without them the next run puts the view up again. -#}
{% macro trickle_put_facade(refresh, relation, former) %}
  {% if former is not none and not former.is_view %}
    {{ trickle_run_step(refresh, 'drop', 'the model was a table', 'drop table if exists ' ~ relation) }}
    {% do adapter.cache_dropped(former) %}
  {% endif %}
  {{ trickle_run_step(refresh, 'facade', 'the view users read', trickle_facade_ddl(refresh, relation)) }}
  {% if refresh.markers %}
    {{ trickle_run_step(refresh, 'alter', 'view and constraints stand',
        'alter table ' ~ refresh.storage ~ ' set tblproperties (' ~ trickle_property_list(refresh.markers) ~ ')') }}
  {% endif %}
{% endmacro %}

{#- While the storage is replaced, readers keep the old rows through its old version. -#}
{% macro trickle_pin_facade(refresh, relation) %}
  {{ trickle_run_step(refresh, 'facade', 'readers keep the old version meanwhile',
      'create or replace view ' ~ relation ~ " tblproperties ('trickle.storage' = "
      ~ trickle_string_literal(refresh.storage.render()) ~ ', ' ~ "'trickle.text' = 'pinned') as\n"
      ~ refresh.decision.pinned_facade) }}
{% endmacro %}
