{#- A table that maintains itself. Python decides (adapter.trickle_plan), these macros wrap and run, in an order that
    leaves something right behind wherever it is cut off: pinned view, data, constraints, view, markers. -#}

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
    {% set refresh = adapter.trickle_plan(
        model, relation, compiled_code, should_full_refresh(), run_started_at, invocation_id,
        load_cached_relation(this), graph) %}
    {% for said in refresh.warnings %}{% do exceptions.warn(said) %}{% endfor %}
    {% do trickle_run_refresh(refresh, relation) %}
    {% do store_result('main', response=adapter.trickle_response(refresh), agate_table=none) %}
  {% endif %}

  {% if hooked %}{% do trickle_run_post_hooks(post_hooks) %}{% endif %}
  {{ return({'relations': [relation]}) }}
{% endmaterialization %}

{% macro trickle_run_refresh(refresh, relation) %}
  {% set former = load_cached_relation(this) %}
  {{ write(refresh.script) }}
  {% if refresh.creates %}
    {% do trickle_check_contract(compiled_code) %}
  {% endif %}
  {% if refresh.pins_facade %}
    {% do trickle_pin_facade(refresh, relation) %}
  {% endif %}
  {% if refresh.drops_first %}
    {{ trickle_run_step(refresh, 'drop', 'Delta cannot replace it in place', 'drop table if exists ' ~ refresh.storage) }}
  {% endif %}
  {% for part in refresh.parts %}
    {% do refresh.announce('computed once, before the statement that reads it', part.shown) %}
  {% endfor %}
  {% for statement in refresh.data_statements %}
    {% set sql = trickle_storage_ddl(refresh, statement.sql) if statement.kind.value == 'create' else statement.sql %}
    {{ trickle_run_step(refresh, statement.kind.value, statement.why, sql) }}
  {% endfor %}
  {% if refresh.starts_over %}
    {{ return(trickle_start_over(refresh, relation)) }}
  {% endif %}
  {% do trickle_alter_storage(refresh) %}
  {% if refresh.replaces_facade %}
    {% if not refresh.creates %}
      {% do trickle_check_contract(compiled_code) %}
    {% endif %}
    {% if refresh.creates and refresh.has_constraints %}
      {% do trickle_enforce_constraints(refresh) %}
    {% endif %}
    {% do trickle_put_facade(refresh, relation, former) %}
  {% endif %}
{% endmacro %}

{#- A statement found the storage damaged, and Python has decided anew. -#}
{% macro trickle_start_over(refresh, relation) %}
  {% do refresh.begin_again() %}
  {% do trickle_run_refresh(refresh, relation) %}
{% endmacro %}

{#- Announced first: a statement that fails is the one to be read in target/run. -#}
{% macro trickle_run_step(refresh, kind, why, sql) %}
  {% do refresh.announce(why, sql) %}
  {{ write(refresh.script) }}
  {% do adapter.trickle_execute(refresh, kind, why, sql) %}
{% endmacro %}

{% macro trickle_check_contract(sql) %}
  {% if config.get('contract').enforced %}
    {% do get_assert_columns_equivalent(sql) %}
  {% endif %}
{% endmacro %}
