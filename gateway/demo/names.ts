import type { Chance } from './random'

/** How a country writes companies, people, cities and phone numbers. All parties are invented. */
export interface CountryFacts {
  code: string
  weight: number
  cities: readonly string[]
  legalForms: readonly string[]
  style: 'han' | 'latin'
  language: string
  timeZone: string
  /** Country prefix and digits of a mobile number; # is a digit. */
  mobile: string
  people:
    'chinese' | 'english' | 'indian' | 'indonesian' | 'arabic' | 'portuguese' | 'russian' | 'vietnamese' | 'turkish' | 'african'
}

export const COUNTRIES: readonly CountryFacts[] = [
  {
    code: 'CN',
    weight: 31,
    cities: ['深圳', '广州', '杭州', '上海', '北京', '成都', '厦门', '南京', '武汉', '苏州', '西安', '长沙'],
    legalForms: ['有限公司', '股份有限公司', '有限责任公司'],
    style: 'han',
    language: 'zh-CN',
    timeZone: 'Asia/Shanghai',
    mobile: '+86139########',
    people: 'chinese',
  },
  {
    code: 'HK',
    weight: 9,
    cities: ['香港'],
    legalForms: ['有限公司'],
    style: 'han',
    language: 'zh-CN',
    timeZone: 'Asia/Hong_Kong',
    mobile: '+8526#######',
    people: 'chinese',
  },
  {
    code: 'SG',
    weight: 8,
    cities: ['Singapore'],
    legalForms: ['Pte Ltd'],
    style: 'latin',
    language: 'en-US',
    timeZone: 'Asia/Singapore',
    mobile: '+658#######',
    people: 'english',
  },
  {
    code: 'IN',
    weight: 6,
    cities: ['Mumbai', 'Bengaluru', 'Delhi'],
    legalForms: ['Pvt Ltd', 'Private Limited'],
    style: 'latin',
    language: 'en-US',
    timeZone: 'Asia/Kolkata',
    mobile: '+9198########',
    people: 'indian',
  },
  {
    code: 'ID',
    weight: 6,
    cities: ['Jakarta', 'Surabaya', 'Bandung'],
    legalForms: ['Tbk', 'Persero'],
    style: 'latin',
    language: 'id',
    timeZone: 'Asia/Shanghai',
    mobile: '+62812########',
    people: 'indonesian',
  },
  {
    code: 'PH',
    weight: 4,
    cities: ['Manila', 'Cebu'],
    legalForms: ['Inc', 'Corp'],
    style: 'latin',
    language: 'en-US',
    timeZone: 'Asia/Shanghai',
    mobile: '+639#########',
    people: 'english',
  },
  {
    code: 'VN',
    weight: 4,
    cities: ['Hanoi', 'Da Nang'],
    legalForms: ['Co., Ltd', 'JSC'],
    style: 'latin',
    language: 'vi',
    timeZone: 'Asia/Shanghai',
    mobile: '+8490#######',
    people: 'vietnamese',
  },
  {
    code: 'AE',
    weight: 4,
    cities: ['Dubai', 'Abu Dhabi'],
    legalForms: ['FZE', 'LLC'],
    style: 'latin',
    language: 'ar',
    timeZone: 'Asia/Dubai',
    mobile: '+97150#######',
    people: 'arabic',
  },
  {
    code: 'NG',
    weight: 3,
    cities: ['Lagos', 'Abuja'],
    legalForms: ['Ltd', 'PLC'],
    style: 'latin',
    language: 'en-US',
    timeZone: 'Africa/Lagos',
    mobile: '+234803#######',
    people: 'african',
  },
  {
    code: 'BR',
    weight: 4,
    cities: ['São Paulo', 'Rio de Janeiro'],
    legalForms: ['Ltda', 'S.A.'],
    style: 'latin',
    language: 'pt',
    timeZone: 'America/Sao_Paulo',
    mobile: '+55119########',
    people: 'portuguese',
  },
  {
    code: 'MX',
    weight: 2,
    cities: ['Ciudad de México', 'Monterrey'],
    legalForms: ['S.A. de C.V.'],
    style: 'latin',
    language: 'es',
    timeZone: 'America/New_York',
    mobile: '+5255########',
    people: 'portuguese',
  },
  {
    code: 'GB',
    weight: 3,
    cities: ['London', 'Manchester'],
    legalForms: ['Ltd', 'PLC'],
    style: 'latin',
    language: 'en-US',
    timeZone: 'Europe/London',
    mobile: '+447700900###',
    people: 'english',
  },
  {
    code: 'DE',
    weight: 2,
    cities: ['Berlin', 'München'],
    legalForms: ['GmbH', 'AG'],
    style: 'latin',
    language: 'de',
    timeZone: 'Europe/Berlin',
    mobile: '+49151########',
    people: 'english',
  },
  {
    code: 'FR',
    weight: 2,
    cities: ['Paris', 'Lyon'],
    legalForms: ['S.A.R.L.', 'SAS'],
    style: 'latin',
    language: 'fr',
    timeZone: 'Europe/Paris',
    mobile: '+336########',
    people: 'english',
  },
  {
    code: 'US',
    weight: 4,
    cities: ['New York', 'Austin', 'San Jose'],
    legalForms: ['LLC', 'Inc'],
    style: 'latin',
    language: 'en-US',
    timeZone: 'America/New_York',
    mobile: '+120255501##',
    people: 'english',
  },
  {
    code: 'RU',
    weight: 2,
    cities: ['Moscow', 'Kazan'],
    legalForms: ['OOO'],
    style: 'latin',
    language: 'ru',
    timeZone: 'UTC',
    mobile: '+7903#######',
    people: 'russian',
  },
  {
    code: 'TR',
    weight: 2,
    cities: ['Istanbul', 'Ankara'],
    legalForms: ['A.Ş.', 'Ltd. Şti.'],
    style: 'latin',
    language: 'en-US',
    timeZone: 'UTC',
    mobile: '+90532#######',
    people: 'turkish',
  },
  {
    code: 'ZA',
    weight: 1,
    cities: ['Johannesburg', 'Cape Town'],
    legalForms: ['Pty Ltd'],
    style: 'latin',
    language: 'en-US',
    timeZone: 'Africa/Johannesburg',
    mobile: '+2782#######',
    people: 'african',
  },
  {
    code: 'KE',
    weight: 1,
    cities: ['Nairobi'],
    legalForms: ['Ltd'],
    style: 'latin',
    language: 'en-US',
    timeZone: 'Africa/Johannesburg',
    mobile: '+254712######',
    people: 'african',
  },
  {
    code: 'JP',
    weight: 1,
    cities: ['Tokyo', 'Osaka'],
    legalForms: ['KK'],
    style: 'latin',
    language: 'ja',
    timeZone: 'Asia/Tokyo',
    mobile: '+8190########',
    people: 'english',
  },
]

const HAN_FIRST = '星云汇天锐海嘉博鼎中华远恒瑞金智信创维优通联拓宏盛启蓝飞晨翔卓凌景泰源丰润德'
const HAN_SECOND = '河途讯瑞达通联拓信捷科腾创维睿翼帆桥港航涛泽森越峰岚宇辰昊轩畅驰逸格程域链'
const HAN_TRADE = [
  '科技',
  '网络',
  '信息技术',
  '通信',
  '电子商务',
  '网络科技',
  '数字科技',
  '信息',
  '互动娱乐',
  '供应链',
  '物流',
  '软件',
]
const LATIN_FIRST = [
  'Bright',
  'Nova',
  'Blue',
  'Atlas',
  'Kite',
  'Signal',
  'Amber',
  'Cedar',
  'Delta',
  'Echo',
  'Falcon',
  'Granite',
  'Harbor',
  'Indigo',
  'Jade',
  'Lumen',
  'Maple',
  'North',
  'Onyx',
  'Pearl',
  'Quartz',
  'River',
  'Summit',
  'Tidal',
  'Umbra',
  'Vertex',
  'Willow',
  'Zenith',
  'Coral',
  'Prism',
]
const LATIN_SECOND = [
  'Wave',
  'Link',
  'Point',
  'Reach',
  'Bridge',
  'Cast',
  'Field',
  'Gate',
  'Hub',
  'Line',
  'Mark',
  'Path',
  'Pulse',
  'Ring',
  'Scope',
  'Spark',
  'Stream',
  'Track',
  'Vault',
  'View',
]
const LATIN_TRADE = [
  'Messaging',
  'Telecom',
  'Digital',
  'Technologies',
  'Networks',
  'Commerce',
  'Payments',
  'Games',
  'Logistics',
  'Media',
  'Health',
  'Travel',
  'Solutions',
  'Mobile',
]
const HAN_TO_LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...'星云汇天锐海嘉博鼎中华远恒瑞金智信创维优通联拓宏盛启蓝飞晨翔卓凌景泰源丰润德河途讯达捷科腾睿翼帆桥港航涛泽森越峰岚宇辰昊轩畅驰逸格程域链',
  ].map((letter, index) => [
    letter,
    'xing yun hui tian rui hai jia bo ding zhong hua yuan heng rui jin zhi xin chuang wei you tong lian tuo hong sheng qi lan fei chen xiang zhuo ling jing tai yuan feng run de he tu xun da jie ke teng rui yi fan qiao gang hang tao ze sen yue feng lan yu chen hao xuan chang chi yi ge cheng yu lian'.split(
      ' ',
    )[index] ?? 'x',
  ]),
)

/** An invented company: the registered name, an English one, a short one and a domain under .example. */
export interface CompanyName {
  name: string
  nameEn: string | null
  shortName: string
  domain: string
  city: string
}

/** Invents a company of a country that is not yet in `taken` (which grows). */
export function inventCompany(random: Chance, country: CountryFacts, taken: Set<string>): CompanyName {
  for (;;) {
    const city = random.pick(country.cities)
    const made = country.style === 'han' ? hanCompany(random, country, city) : latinCompany(random, country, city)
    if (taken.has(made.shortName)) continue
    taken.add(made.shortName)
    return made
  }
}

function hanCompany(random: Chance, country: CountryFacts, city: string): CompanyName {
  const letters = [...HAN_FIRST]
  const core = random.pick(letters) + random.pick([...HAN_SECOND]) + (random.happens(0.35) ? random.pick([...HAN_SECOND]) : '')
  const latin = [...core].map((letter) => HAN_TO_LATIN[letter] ?? 'x').join('')
  const trade = random.pick(HAN_TRADE)
  const place = country.code === 'HK' ? '（香港）' : random.happens(0.8) ? `${city}市` : city
  const name =
    country.code === 'HK'
      ? `${core}${place}${trade}${random.pick(country.legalForms)}`
      : `${place}${core}${trade}${random.pick(country.legalForms)}`
  return {
    name,
    nameEn: `${latin[0]?.toUpperCase() ?? ''}${latin.slice(1)} ${random.pick(LATIN_TRADE)} Co., Ltd`,
    shortName: core + (random.happens(0.5) ? trade.slice(0, 2) : ''),
    domain: `${latin}.example`,
    city,
  }
}

function latinCompany(random: Chance, country: CountryFacts, city: string): CompanyName {
  const core = `${random.pick(LATIN_FIRST)} ${random.pick(LATIN_SECOND)}`
  const trade = random.pick(LATIN_TRADE)
  const legal = random.pick(country.legalForms)
  const prefix = country.code === 'ID' ? 'PT ' : legal === 'OOO' ? 'OOO ' : ''
  const name = `${prefix}${core} ${trade}${legal === 'OOO' ? '' : ` ${legal}`}`
  return {
    name,
    nameEn: name,
    shortName: `${core} ${trade}`,
    domain: `${core.toLowerCase().replace(' ', '-')}-${trade.toLowerCase()}.example`,
    city,
  }
}

const SURNAMES = '王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈'
const SURNAME_PINYIN =
  'Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Gao Lin Luo Zheng Liang Xie Song Tang Xu Han Feng Deng Cao Peng Zeng Xiao Tian Dong Yuan Pan Yu Jiang Cai Yu Du Ye Cheng Su Wei Lü Ding Ren Shen'.split(
    ' ',
  )
const GIVEN: readonly (readonly [string, string])[] = [
  ['伟', 'Wei'],
  ['芳', 'Fang'],
  ['娜', 'Na'],
  ['敏', 'Min'],
  ['静', 'Jing'],
  ['强', 'Qiang'],
  ['磊', 'Lei'],
  ['洋', 'Yang'],
  ['艳', 'Yan'],
  ['勇', 'Yong'],
  ['军', 'Jun'],
  ['杰', 'Jie'],
  ['涛', 'Tao'],
  ['明', 'Ming'],
  ['超', 'Chao'],
  ['婷', 'Ting'],
  ['思远', 'Siyuan'],
  ['子涵', 'Zihan'],
  ['雨欣', 'Yuxin'],
  ['浩然', 'Haoran'],
  ['梓萱', 'Zixuan'],
  ['嘉怡', 'Jiayi'],
  ['俊杰', 'Junjie'],
  ['晓彤', 'Xiaotong'],
  ['志强', 'Zhiqiang'],
  ['文博', 'Wenbo'],
  ['佳琪', 'Jiaqi'],
  ['一鸣', 'Yiming'],
]
const PEOPLE: Readonly<Record<Exclude<CountryFacts['people'], 'chinese'>, readonly [readonly string[], readonly string[]]>> = {
  english: [
    ['James', 'Emma', 'Oliver', 'Sophia', 'Daniel', 'Grace', 'Ryan', 'Chloe', 'Marcus', 'Hannah'],
    ['Tan', 'Smith', 'Brown', 'Lim', 'Taylor', 'Santos', 'Reyes', 'Walker', 'Moreau', 'Keller'],
  ],
  indian: [
    ['Rahul', 'Priya', 'Amit', 'Neha', 'Arjun', 'Kavya'],
    ['Sharma', 'Patel', 'Reddy', 'Iyer', 'Gupta', 'Nair'],
  ],
  indonesian: [
    ['Budi', 'Siti', 'Agus', 'Dewi', 'Rizky', 'Putri'],
    ['Santoso', 'Wijaya', 'Pratama', 'Hidayat', 'Lestari'],
  ],
  arabic: [
    ['Ahmed', 'Fatima', 'Khalid', 'Mariam', 'Omar', 'Layla'],
    ['Al Mansoori', 'Hassan', 'Al Farsi', 'Saleh', 'Nasser'],
  ],
  portuguese: [
    ['João', 'Mariana', 'Lucas', 'Camila', 'Carlos', 'Ana'],
    ['Silva', 'Souza', 'Oliveira', 'Ramírez', 'Costa', 'Hernández'],
  ],
  russian: [
    ['Ivan', 'Olga', 'Dmitry', 'Anna', 'Sergei'],
    ['Ivanov', 'Petrova', 'Smirnov', 'Volkova', 'Sokolov'],
  ],
  vietnamese: [
    ['Minh', 'Linh', 'Tuan', 'Huong', 'Quang'],
    ['Nguyen', 'Tran', 'Le', 'Pham', 'Hoang'],
  ],
  turkish: [
    ['Mehmet', 'Ayşe', 'Emre', 'Elif'],
    ['Yılmaz', 'Kaya', 'Demir', 'Şahin'],
  ],
  african: [
    ['Chinedu', 'Amina', 'Tunde', 'Zanele', 'Kofi', 'Wanjiru'],
    ['Okafor', 'Mwangi', 'Dlamini', 'Mensah', 'Adeyemi'],
  ],
}

/** An invented person: the name as written at home, and one in Latin letters. */
export interface PersonName {
  name: string
  latin: string
}
export function inventPerson(random: Chance, style: CountryFacts['people']): PersonName {
  if (style === 'chinese') {
    const index = Math.floor(random.next() * random.next() * SURNAMES.length)
    const [given, pinyin] = random.pick(GIVEN)
    return { name: `${[...SURNAMES][index]}${given}`, latin: `${pinyin} ${SURNAME_PINYIN[index]}` }
  }
  const [first, last] = PEOPLE[style]
  const name = `${random.pick(first)} ${random.pick(last)}`
  return { name, latin: name }
}

/** A mail address from a Latin name. */
export function mailOf(latin: string, domain: string): string {
  const local = latin
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ı', 'i')
    .toLowerCase()
    .replace(/[^a-z]+/g, '.')
    .replace(/^\.|\.$/g, '')
  return `${local}@${domain}`
}

/** A mobile number of the right length for the country. */
export function inventMobile(random: Chance, country: CountryFacts): string {
  return country.mobile.replace(/#/g, () => String(random.integer(0, 9)))
}
