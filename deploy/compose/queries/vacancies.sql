-- One row for each vacancy that is open now. A vacancy that the query no longer returns has vanished.
select id as key, company_id as company_key, title, quota from vacancy where open
