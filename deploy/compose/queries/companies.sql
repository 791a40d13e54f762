-- One row for each company; docs/reference/columns.md lists what may be returned.
select id as key, name, city as region_id from company
