-- One row for each company. docs/reference/columns.md lists the columns.
select id as key, name, city as region_id from company
