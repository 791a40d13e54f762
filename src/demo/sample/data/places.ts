/** A city of the sample, by the code of the Ministry of Home Affairs. */
export interface Place {
  readonly code: number;
  readonly name: string;
  readonly province: string;
  /** Decimal degrees of about the middle. */
  readonly latitude: number;
  readonly longitude: number;
  /** First three digits of its postal codes. */
  readonly postal: string;
  /** Area code of its telephone numbers. */
  readonly dialling: string;
}

const place = (
  code: number,
  name: string,
  province: string,
  latitude: number,
  longitude: number,
  postal: string,
  dialling: string,
): Place => ({ code, name, province, latitude, longitude, postal, dialling });

/** Cities that config/reference/cities.csv knows. */
export const PLACES: readonly Place[] = [
  place(1371, 'Kota Padang', 'Sumatera Barat', -0.947, 100.417, '251', '0751'),
  place(1671, 'Kota Palembang', 'Sumatera Selatan', -2.976, 104.775, '301', '0711'),
  place(1872, 'Kota Metro', 'Lampung', -5.113, 105.307, '341', '0725'),
  place(2172, 'Kota Tanjungpinang', 'Kepulauan Riau', 0.919, 104.446, '291', '0771'),
  place(3171, 'Jakarta Pusat', 'DKI Jakarta', -6.181, 106.835, '103', '021'),
  place(3173, 'Jakarta Barat', 'DKI Jakarta', -6.168, 106.759, '114', '021'),
  place(3174, 'Jakarta Selatan', 'DKI Jakarta', -6.266, 106.813, '121', '021'),
  place(3175, 'Jakarta Timur', 'DKI Jakarta', -6.225, 106.9, '134', '021'),
  place(3201, 'Kab. Bogor', 'Jawa Barat', -6.595, 106.816, '169', '0251'),
  place(3204, 'Kab. Bandung', 'Jawa Barat', -7.025, 107.528, '403', '022'),
  place(3215, 'Kab. Karawang', 'Jawa Barat', -6.305, 107.305, '413', '0267'),
  place(3216, 'Kab. Bekasi', 'Jawa Barat', -6.366, 107.172, '175', '021'),
  place(3276, 'Kota Depok', 'Jawa Barat', -6.402, 106.794, '164', '021'),
  place(3404, 'Kab. Sleman', 'DI Yogyakarta', -7.716, 110.355, '555', '0274'),
  place(3507, 'Kab. Malang', 'Jawa Timur', -8.13, 112.573, '651', '0341'),
  place(3671, 'Kota Tangerang', 'Banten', -6.178, 106.63, '151', '021'),
  place(5103, 'Kab. Badung', 'Bali', -8.58, 115.177, '803', '0361'),
  place(5171, 'Kota Denpasar', 'Bali', -8.65, 115.217, '801', '0361'),
  place(6371, 'Kota Banjarmasin', 'Kalimantan Selatan', -3.317, 114.59, '701', '0511'),
  place(7171, 'Kota Manado', 'Sulawesi Utara', 1.475, 124.842, '951', '0431'),
];

/** A city that the lookup lacks: records in it stay invalid until you add its code. */
export const UNMAPPED_PLACE: Place = place(9471, 'Kota Jayapura', 'Papua', -2.533, 140.717, '991', '0967');

export const STREETS = [
  'Jl. Jenderal Sudirman',
  'Jl. Gatot Subroto',
  'Jl. Diponegoro',
  'Jl. Ahmad Yani',
  'Jl. Pahlawan',
  'Jl. Merdeka',
  'Jl. Imam Bonjol',
  'Jl. Veteran',
  'Jl. Raya Industri',
  'Jl. Kartini',
  'Jl. Pemuda',
  'Jl. Hasanuddin',
  'Kawasan Niaga Sentosa Blok C',
  'Ruko Permata Indah Blok B',
] as const;
