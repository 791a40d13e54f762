-- What plantTraps sets up. Everything is qualified: a later session looks into public first.
create schema trap;
grant usage on schema trap to public;

-- COPY TO is allowed in a read-only transaction, and no rollback takes its file away.
create function trap.spring(name pg_catalog.text) returns pg_catalog.bool language plpgsql security definer
  set search_path = pg_catalog as $$
begin
  execute format('copy (select 1) to %L', format('%s/trap_%s_%s', current_setting('data_directory'),
    (select oid from pg_database where datname = current_database()), encode(convert_to(left(name, 80), 'UTF8'), 'hex')));
  return true;
end $$;

create function trap.sprung() returns setof pg_catalog.text language sql set search_path = pg_catalog as $$
  select convert_from(decode(split_part(file, '_', 3), 'hex'), 'UTF8')
  from pg_ls_dir(current_setting('data_directory')) file
  where starts_with(file, format('trap_%s_', (select oid from pg_database where datname = current_database())))
  order by 1
$$;

create function trap.type_name(type pg_catalog.oid, variadic_any pg_catalog.bool) returns pg_catalog.text
  language sql set search_path = pg_catalog as $$
  select 'pg_catalog.' || quote_ident(case
    when typname <> 'any' then typname when variadic_any then 'anycompatiblearray' else 'anyelement' end)
  from pg_type where oid = type
$$;

create function trap.plant_function(
  name pg_catalog.text, arguments pg_catalog.text, result pg_catalog.text, title pg_catalog.text
) returns void language plpgsql set search_path = pg_catalog as $$
begin
  execute format('create function public.%I(%s) returns %s language plpgsql as %L', name, arguments, result,
    format('begin perform trap.spring(%L); return%s; end', title,
      case when result like 'setof %' or result = 'pg_catalog.void' then '' else ' null' end));
end $$;

create procedure trap.plant(functions pg_catalog.text[], operators pg_catalog.text[]) language plpgsql
  set search_path = pg_catalog as $$
declare
  planter constant text := format('planter_%s', (select oid from pg_database where datname = current_database()));
  each record;
begin
  execute format('create role %I', planter);
  execute format('grant create, usage on schema public to %I', planter);
  execute format('grant usage on schema trap to %I', planter);
  execute format('set local role %I', planter);
  set local check_function_bodies = off;
  for each in
    select p.oid, p.oid::regprocedure::text as title, p.proname as name, p.prokind = 'a' as is_aggregate,
      case when p.proretset then 'setof ' else '' end || trap.type_name(p.prorettype, false) as result,
      (select coalesce(string_agg(case when p.provariadic <> 0 and a.n = p.pronargs then 'variadic ' else '' end
           || trap.type_name(a.type, p.provariadic <> 0 and a.n = p.pronargs), ', ' order by a.n), '')
         from unnest(p.proargtypes) with ordinality a (type, n)) as arguments
    from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace and (functions is null or p.proname = any (functions))
  loop
    begin
      if each.is_aggregate then
        -- A state of type text takes arguments of any types.
        perform trap.plant_function(format('trap_%s', each.oid), concat_ws(', ', 'pg_catalog.text', nullif(each.arguments, '')),
          'pg_catalog.text', each.title);
        execute format('create aggregate public.%I(%s) (sfunc = public.%I, stype = pg_catalog.text)', each.name,
          coalesce(nullif(each.arguments, ''), '*'), format('trap_%s', each.oid));
      else
        perform trap.plant_function(each.name, each.arguments, each.result, each.title);
      end if;
    exception when feature_not_supported or invalid_function_definition or invalid_table_definition then
      -- A type of the inside of Postgres, which neither function nor view of a user may have.
      continue;
    end;
  end loop;
  for each in
    select o.oid, o.oid::regoperator::text as title, o.oprname as name, trap.type_name(nullif(o.oprleft, 0), false) as "left",
      trap.type_name(o.oprright, false) as "right", trap.type_name(o.oprresult, false) as result
    from pg_operator o
    -- Up to 13 there are operators with nothing on their right; a user may make none.
    where o.oprnamespace = 'pg_catalog'::regnamespace and o.oprright <> 0 and (operators is null or o.oprname = any (operators))
  loop
    begin
      perform trap.plant_function(format('trap_%s', each.oid), concat_ws(', ', each."left", each."right"), each.result,
        each.title);
      execute format('create operator public.%s (%srightarg = %s, function = public.%I)', each.name,
        'leftarg = ' || each."left" || ', ', each."right", format('trap_%s', each.oid));
    exception when feature_not_supported or invalid_function_definition or invalid_table_definition then
      -- A type of the inside of Postgres, which neither function nor view of a user may have.
      continue;
    end;
  end loop;
  for each in
    select format('type %s', typname) as title,
      format('create domain public.%I as pg_catalog.%1$I check (trap.spring(%L))', typname, format('type %s', typname)) as sql
    from pg_type where typnamespace = 'pg_catalog'::regnamespace and typtype in ('b', 'r', 'm') and typcategory <> 'A'
    union all
    select format('relation %s', relname),
      format('create view public.%I as select * from pg_catalog.%1$I where trap.spring(%L)', relname, format('relation %s', relname))
    from pg_class where relnamespace = 'pg_catalog'::regnamespace and relkind in ('r', 'v')
  loop
    begin
      execute each.sql;
    exception when feature_not_supported or invalid_function_definition or invalid_table_definition then
      -- A type of the inside of Postgres, which neither function nor view of a user may have.
      continue;
    end;
  end loop;
  reset role;
  execute format('reassign owned by %I to current_user', planter);
  execute format('drop owned by %I', planter);
  execute format('drop role %I', planter);
end $$;

-- Namesakes that fit better than those of pg_catalog, which a session with the default search path calls as well: those of
-- text for varchar and char, and those of two numbers for a number and an integer.
create procedure trap.plant_closer() language plpgsql set search_path = pg_catalog as $$
declare
  each record;
begin
  set local check_function_bodies = off;
  for each in
    select p.proname as name, trap.type_name(p.prorettype, false) as result,
      (select string_agg(case a.type when 25 then closer.type else trap.type_name(a.type, false) end, ', ' order by a.n)
        from unnest(p.proargtypes) with ordinality a (type, n)) as arguments
    from pg_proc p cross join (values ('pg_catalog.varchar'), ('pg_catalog.bpchar')) closer (type)
    where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f' and not p.proretset and p.provariadic = 0
      and 25 = any (cast(p.proargtypes as oid[]))
  loop
    begin
      perform trap.plant_function(each.name, each.arguments, each.result, format('%s(%s)', each.name, each.arguments));
    exception when feature_not_supported or invalid_function_definition or duplicate_function then
      continue;
    end;
  end loop;
  for each in
    select o.oprname as name, closer."left", closer."right", trap.type_name(o.oprresult, false) as result,
      format('closer_%s_%s', o.oid, closer.number) as called
    from pg_operator o join (values (1, 25, 'pg_catalog.varchar', 'pg_catalog.varchar'),
      (2, 25, 'pg_catalog.varchar', 'pg_catalog.text'), (3, 25, 'pg_catalog.bpchar', 'pg_catalog.text'),
      (4, 1700, 'pg_catalog.numeric', 'pg_catalog.int4')) closer (number, type, "left", "right")
      on o.oprleft = closer.type and o.oprright = closer.type
    where o.oprnamespace = 'pg_catalog'::regnamespace
  loop
    begin
      perform trap.plant_function(each.called, format('%s, %s', each."left", each."right"), each.result,
        format('%s(%s, %s)', each.name, each."left", each."right"));
      execute format('create operator public.%s (leftarg = %s, rightarg = %s, function = public.%I)', each.name,
        each."left", each."right", each.called);
    exception when duplicate_function then
      continue;
    end;
  end loop;
end $$;
