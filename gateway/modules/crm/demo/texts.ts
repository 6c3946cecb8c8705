import type { Chance } from '../../../demo'

/** What a follow-up may say; facts stand in braces: {country} {price} {volume} {dlr} {contact} {product} {month}. */
interface Template {
  result: string
  ways: readonly string[]
  zh: string
  en: string
}

const TEMPLATES: readonly Template[] = [
  {
    result: 'interested',
    ways: ['phone', 'im'],
    zh: '与{contact}通话，对方每月发往{country}约{volume}条，希望先了解路由质量。',
    en: 'Spoke with {contact}: about {volume} messages a month to {country}; wants to learn about route quality first.',
  },
  {
    result: 'interested',
    ways: ['meeting', 'visit'],
    zh: '介绍了{country}直连通道和到达率报表，{contact}安排技术同事对接。',
    en: 'Presented the direct route to {country} and the delivery reports; {contact} brings in their engineers.',
  },
  {
    result: 'interested',
    ways: ['im', 'email'],
    zh: '{contact}询问{product}的开户流程与最低充值额，已发资料。',
    en: '{contact} asked how to open a {product} account and the minimum top-up; documents sent.',
  },
  {
    result: 'needQuote',
    ways: ['email', 'phone'],
    zh: '{contact}要{country}的{product}报价，目标价{price}美元，量级{volume}。',
    en: '{contact} wants a {product} quotation for {country}; target price {price} USD, volume {volume}.',
  },
  {
    result: 'needQuote',
    ways: ['phone', 'meeting'],
    zh: '现供应商涨价，{contact}希望本周内收到{country}新报价。',
    en: 'Their supplier raised prices; {contact} expects our {country} quotation this week.',
  },
  {
    result: 'needTest',
    ways: ['im', 'email'],
    zh: '开通测试账号，{contact}计划{month}测试{country}，每运营商20条。',
    en: 'Test account opened; {contact} will test {country} in {month} with 20 messages an operator.',
  },
  {
    result: 'needTest',
    ways: ['test'],
    zh: '{country}测试到达率{dlr}%，平均时延4秒，{contact}要求补测一个运营商。',
    en: 'Test to {country}: delivery {dlr} %, 4 seconds on average; {contact} wants one more operator tested.',
  },
  {
    result: 'thinking',
    ways: ['phone', 'im'],
    zh: '{contact}说内部还在比价，{country}单价希望再降到{price}美元。',
    en: '{contact} is still comparing prices; hopes for {price} USD to {country}.',
  },
  {
    result: 'thinking',
    ways: ['email'],
    zh: '已发修订报价，{contact}需财务确认账期后答复。',
    en: 'Revised quotation sent; {contact} answers once their finance has confirmed the terms.',
  },
  {
    result: 'notNow',
    ways: ['phone', 'im'],
    zh: '{contact}表示项目推迟到{month}，届时再联系。',
    en: '{contact} postponed the project to {month}; contact again then.',
  },
  {
    result: 'notNow',
    ways: ['email', 'phone'],
    zh: '目前{product}量小，合同在现供应商处，年底再谈。',
    en: 'Small {product} volume now and bound to the present supplier; talk again at year end.',
  },
  {
    result: 'refused',
    ways: ['phone'],
    zh: '{contact}反馈上次{country}延迟较高，暂不考虑切换。',
    en: '{contact} saw delays to {country} last time and does not want to switch.',
  },
  {
    result: 'noAnswer',
    ways: ['phone'],
    zh: '拨打{contact}手机三次未接，已留言说明{country}新价格。',
    en: 'Called {contact} three times without an answer; left a message on the new {country} price.',
  },
  {
    result: 'wrongNumber',
    ways: ['phone'],
    zh: '号码已换人使用，需要通过官网或邮件找到新的联系人。',
    en: 'The number belongs to somebody else now; find a new contact through the website or mail.',
  },
  {
    result: 'interested',
    ways: ['visit'],
    zh: '上门拜访，参观客服中心；{contact}希望把OTP与营销短信分开计费。',
    en: 'Visited their service centre; {contact} wants OTP and marketing traffic billed apart.',
  },
  {
    result: 'needQuote',
    ways: ['meeting'],
    zh: '例会：{month}流量预计增长，{contact}要求按阶梯价重新报{country}。',
    en: 'Regular call: traffic grows in {month}; {contact} wants tiered prices for {country}.',
  },
]
const PRODUCTS = [
  ['短信', 'SMS'],
  ['语音', 'voice'],
  ['OTP', 'OTP'],
  ['WhatsApp', 'WhatsApp'],
  ['号码', 'number'],
] as const
const PLACES = [
  ['印尼', 'Indonesia'],
  ['越南', 'Vietnam'],
  ['巴西', 'Brazil'],
  ['印度', 'India'],
  ['尼日利亚', 'Nigeria'],
  ['墨西哥', 'Mexico'],
  ['泰国', 'Thailand'],
  ['菲律宾', 'the Philippines'],
  ['沙特', 'Saudi Arabia'],
  ['埃及', 'Egypt'],
  ['中国香港', 'Hong Kong'],
  ['新加坡', 'Singapore'],
] as const
const MONTHS_EN = 'January February March April May June July August September October November December'.split(' ')

/** A follow-up's text in the language of the customer, with its way and result. */
export function inventFollowUp(
  random: Chance,
  language: 'zh' | 'en',
  contact: string,
  at: Date,
): { way: string; result: string; content: string } {
  const template = random.weighted(
    TEMPLATES.map((entry) => [entry, entry.result === 'noAnswer' || entry.result === 'wrongNumber' ? 0.6 : 1] as const),
  )
  const [placeZh, placeEn] = random.pick(PLACES)
  const [productZh, productEn] = random.pick(PRODUCTS)
  const month = (at.getUTCMonth() + random.integer(1, 3)) % 12
  const facts: Record<string, string> = {
    contact,
    country: language === 'zh' ? placeZh : placeEn,
    product: language === 'zh' ? productZh : productEn,
    price: (random.integer(8, 620) / 10_000).toFixed(4),
    volume: language === 'zh' ? `${random.integer(1, 90)}万` : `${random.integer(10, 900)},000`,
    dlr: String(random.integer(81, 98)),
    month: language === 'zh' ? `${month + 1}月` : (MONTHS_EN[month] ?? ''),
  }
  return {
    way: random.pick(template.ways),
    result: template.result,
    content: template[language].replace(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? ''),
  }
}
