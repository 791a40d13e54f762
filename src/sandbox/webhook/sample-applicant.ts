/** A person who does not exist. */
export interface SampleApplicant {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly gender: 'male' | 'female';
  /** `YYYY-MM-DD`. */
  readonly birthDate: string;
  readonly birthPlace: string;
  readonly province: string;
  readonly city: string;
}

const person = (
  name: string,
  gender: SampleApplicant['gender'],
  birthDate: string,
  birthPlace: string,
  province: string,
  city: string,
): Omit<SampleApplicant, 'email' | 'phone'> => ({ name, gender, birthDate, birthPlace, province, city });

const PEOPLE = [
  person('Sari Dewi', 'female', '1997-03-08', 'Bandung', 'Jawa Barat', 'Kota Bandung'),
  person('Budi Santoso', 'male', '1998-04-23', 'Semarang', 'Jawa Tengah', 'Kota Semarang'),
  person('Putu Ayu Lestari', 'female', '2001-11-30', 'Singaraja', 'Bali', 'Kota Denpasar'),
  person('Rizky Ramadhan', 'male', '2003-12-12', 'Palembang', 'Sumatera Selatan', 'Kota Palembang'),
  person('Maria Goreti Wea', 'female', '1995-07-06', 'Ende', 'Nusa Tenggara Timur', 'Kota Kupang'),
  person('Andi Baso', 'male', '1990-02-28', 'Parepare', 'Sulawesi Selatan', 'Kota Makassar'),
  person("Nur'aini Siregar", 'female', '1999-01-17', 'Padang Sidempuan', 'Sumatera Utara', 'Kota Medan'),
  person('Yohanes Wanggai', 'male', '1993-09-21', 'Serui', 'Papua', 'Kota Jayapura'),
] as const;

/** One of a few applicants; the same number (0 or more) gives the same person, with an address that leads nowhere. */
export function sampleApplicant(number: number): SampleApplicant {
  const chosen = PEOPLE[number % PEOPLE.length] ?? PEOPLE[0];
  const mailbox = chosen.name
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .replaceAll(' ', '.');
  return {
    ...chosen,
    email: `${mailbox}@example.com`,
    phone: `0812${String(number % 100_000_000).padStart(8, '0')}`,
  };
}
