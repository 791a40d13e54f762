-- One row for each vacancy that is open now; one that is no longer returned has vanished.
select id as key, company_id as company_key, title, quota from vacancy where open
