select id as key, company_id as company_key, name, address from canteen
