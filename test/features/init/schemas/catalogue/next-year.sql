-- The catalogue of 2032: every centre and course of 2031 is entered again with a new id and its old code, a year later.
update kat.cycle set is_current = false;
insert into kat.cycle (cycle_no, opened_on, is_current) values (2032, '2031-11-01', true);
insert into kat.centre (cycle_no, centre_code, centre_label, street_text, town_text, tel_text, mail_text,
  picture_path, is_confirmed)
select 2032, centre_code, centre_label, street_text, town_text, tel_text, mail_text, picture_path, is_confirmed
from kat.centre where cycle_no = 2031 order by centre_id;
insert into kat.course (cycle_no, centre_id, course_code, subject_code, scheme_code, course_label, summary_html,
  mode_code, level_no, places, sign_up_until, picture_path, is_confirmed, archived_at)
select 2032, next.centre_id, course_code, subject_code, scheme_code, course_label, summary_html, mode_code, level_no,
  places, sign_up_until + interval '1 year', course.picture_path, course.is_confirmed, archived_at
from kat.course
join kat.centre last on last.centre_id = course.centre_id
join kat.centre next on next.cycle_no = 2032 and next.centre_code = last.centre_code
where course.cycle_no = 2031
order by course_id;
