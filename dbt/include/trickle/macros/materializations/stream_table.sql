{#- The materialization of stream tables. Python decides and runs every statement; the macros do dbt's part: hooks,
    `--empty`, warnings and the contract. -#}

{% materialization stream_table, adapter='trickle', supported_languages=['sql'] %}
  {% set relation = this.incorporate(type='view') %}
  {% do adapter.trickle_refuse_clash(model, graph, invocation_id) %}
  {% set idle = none if flags.EMPTY else adapter.trickle_idle(
      model, relation, compiled_code, should_full_refresh(), var('trickle_force', false), run_started_at,
      invocation_id, graph, selected_resources) %}
  {% set hooked = idle is none or idle.runs_hooks %}
  {% if hooked %}{% do trickle_run_pre_hooks(pre_hooks) %}{% endif %}

  {% if idle is not none %}
    {% if idle.warning %}{% do exceptions.warn(idle.warning) %}{% endif %}
    {{ write(idle.script) }}
    {% do store_result('main', response=idle.response, agate_table=none) %}
  {% elif flags.EMPTY %}
    {% do trickle_drop_former_stream_tables() %}
    {% do trickle_build_empty(relation) %}
  {% else %}
    {% do trickle_drop_former_stream_tables() %}
    {% do trickle_refresh(relation) %}
  {% endif %}

  {% if hooked %}{% do trickle_run_post_hooks(post_hooks) %}{% endif %}
  {{ return({'relations': [relation]}) }}
{% endmaterialization %}

{% macro trickle_refresh(relation) %}
  {% set refresh = adapter.trickle_plan(
      model, relation, compiled_code, should_full_refresh(), run_started_at, invocation_id,
      load_cached_relation(this), graph) %}
  {% for warning in refresh.warnings %}{% do exceptions.warn(warning) %}{% endfor %}
  {% do write(refresh.script) %}
  {% if refresh.checks_contract and config.get('contract').enforced %}
    {% do get_assert_columns_equivalent(compiled_code) %}
  {% endif %}
  {% do store_result('main', response=adapter.trickle_run(refresh, write), agate_table=none) %}
{% endmacro %}
