{#- An existing seed is overwritten in place: dropping it would give the table a new id and history, and every stream
    table that reads it would be rebuilt. -#}
{% macro trickle__reset_csv_table(model, full_refresh, old_relation, agate_table) %}
  {% if full_refresh or not old_relation.is_delta or not trickle_seed_fits(model, old_relation, agate_table) %}
    {% if not old_relation.is_delta %}
      {% do adapter.drop_relation(old_relation) %}
    {% endif %}
    {{ return(create_csv_table(model, agate_table)) }}
  {% endif %}
  {% if agate_table.rows | length == 0 %}
    {% call statement('empty_seed') %}delete from {{ old_relation }}{% endcall %}
  {% endif %}
  {{ return('-- ' ~ old_relation ~ ' keeps its columns; its rows are replaced') }}
{% endmacro %}

{#- Whether the table has the file's columns, in order, with the types the seed would be created with. -#}
{% macro trickle_seed_fits(model, old_relation, agate_table) %}
  {% set overrides = model['config'].get('column_types', {}) %}
  {% set wanted = [] %}
  {% for name in agate_table.column_names %}
    {% set type = overrides.get(name, adapter.convert_type(agate_table, loop.index0)) %}
    {% do wanted.append((name ~ ' ' ~ type) | lower | replace(' ', '')) %}
  {% endfor %}
  {% set existing = [] %}
  {% for column in adapter.get_columns_in_relation(old_relation) %}
    {% do existing.append((column.name ~ ' ' ~ column.data_type) | lower | replace(' ', '')) %}
  {% endfor %}
  {{ return(wanted == existing) }}
{% endmacro %}

{% macro trickle__create_csv_table(model, agate_table) %}
  {% set overrides = model['config'].get('column_types', {}) %}
  {% set quote_columns = model['config'].get('quote_columns', none) %}
  {% set sql %}
    create {{ 'or replace ' if config.get('file_format', 'delta') == 'delta' }}table {{ this.render() }} (
      {%- for name in agate_table.column_names %}
      {{ adapter.quote_seed_column(name | string, quote_columns) }} {{ overrides.get(name, adapter.convert_type(agate_table, loop.index0)) }}
      {%- if not loop.last %},{% endif %}
      {%- endfor %}
    )
    {{ file_format_clause() }}
    {{ tblproperties_clause() }}
    {{ partition_cols(label="partitioned by") }}
    {{ clustered_cols(label="clustered by") }}
    {{ location_clause() }}
    {{ comment_clause() }}
  {% endset %}
  {% call statement('_') %}{{ sql }}{% endcall %}
  {{ return(sql) }}
{% endmacro %}

{#- The first batch replaces the old rows in the commit that writes it, so that readers never see an empty seed. -#}
{% macro trickle__load_csv_rows(model, agate_table) %}
  {% set overrides = model['config'].get('column_types', {}) %}
  {% set types = [] %}
  {% for name in agate_table.column_names %}
    {% do types.append(overrides.get(name, adapter.convert_type(agate_table, loop.index0))) %}
  {% endfor %}
  {% set row_template %}({% for type in types %}cast(%s as {{ type }}){{ ', ' if not loop.last }}{% endfor %}){% endset %}
  {% set statements = [] %}
  {% for chunk in agate_table.rows | batch(get_batch_size()) %}
    {% set bindings = [] %}
    {% for row in chunk %}{% do bindings.extend(row) %}{% endfor %}
    {% set sql %}
      insert {{ 'overwrite' if loop.first else 'into' }} table {{ this.render() }} values
      {% for row in chunk %}{{ row_template }}{{ ', ' if not loop.last }}{% endfor %}
    {% endset %}
    {% do adapter.add_query(sql, bindings=bindings, abridge_sql_log=True) %}
    {% if loop.first %}{% do statements.append(sql) %}{% endif %}
  {% endfor %}
  {{ return(statements[0]) }}
{% endmacro %}
