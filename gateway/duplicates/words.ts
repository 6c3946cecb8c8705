/**
 * Words that say nothing about who a company is. Sources: the duplicate-check rule of the specification
 * (legal forms, trade words) and the places in which companies sit.
 */

/** Legal forms written with letters, dropped from the end of a name one token at a time. */
export const LEGAL_FORMS: ReadonlySet<string> = new Set(
  (
    'co ltd limited llc llp inc incorporated corp corporation company gmbh ag kg sa sas sarl srl spa bv nv oy ab as aps plc ' +
    'pte pty sdn bhd pvt private fze fzco dmcc jsc kk sl ltda sro doo kft tbk ооо ао пао зао pt ooo'
  ).split(' '),
)
/** Legal forms that also stand in front of the name. */
export const LEADING_LEGAL_FORMS: ReadonlySet<string> = new Set('ооо ао пао зао pt ooo'.split(' '))
/** Legal forms written with Han characters, longest first. */
export const HAN_LEGAL_FORMS: readonly string[] = ['股份有限公司', '有限责任公司', '集团有限公司', '有限公司', '集团', '公司']

/** Trade words written with letters. */
export const TRADE_WORDS: ReadonlySet<string> = new Set(
  'technology tech telecom communications network global international group solutions services systems digital mobile holdings'.split(
    ' ',
  ),
)
/** Trade words written with Han characters. */
export const HAN_TRADE_WORDS: readonly string[] = '科技 技术 网络 信息 通信 通讯 电子 国际 实业'.split(' ')

const HAN_PROVINCES =
  '北京 上海 天津 重庆 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古 广西 西藏 宁夏 新疆 香港 澳门'
const HAN_CITIES =
  '深圳 广州 杭州 南京 苏州 无锡 宁波 温州 合肥 福州 厦门 泉州 济南 青岛 烟台 郑州 武汉 长沙 南昌 成都 昆明 贵阳 西安 兰州 沈阳 大连 长春 哈尔滨 石家庄 太原 南宁 海口 三亚 东莞 佛山 珠海 惠州 中山 汕头 常州 徐州 嘉兴 绍兴 金华 台州 呼和浩特 乌鲁木齐 拉萨 银川 西宁 九龙 新加坡 东京 大阪 首尔 曼谷 雅加达 吉隆坡 马尼拉 河内 胡志明 孟买 新德里 迪拜 伦敦 巴黎 柏林 纽约 洛杉矶'
const HAN_COUNTRIES =
  '中国 美国 英国 法国 德国 日本 韩国 印度 印尼 泰国 越南 马来西亚 菲律宾 巴西 墨西哥 俄罗斯 阿联酋 沙特 尼日利亚 南非 肯尼亚 土耳其 西班牙 意大利 荷兰 波兰'

/** Places written with Han characters, longer ones first; a following 省, 市 or 区 belongs to them. */
export const HAN_PLACES: readonly string[] = [HAN_PROVINCES, HAN_CITIES, HAN_COUNTRIES]
  .flatMap((list) => list.split(' '))
  .sort((a, b) => b.length - a.length)

/** Places written with letters, as lists of tokens; longer ones first. */
export const PLACES: readonly (readonly string[])[] = (
  'hong kong,macau,taiwan,china,beijing,shanghai,shenzhen,guangzhou,hangzhou,chengdu,singapore,malaysia,kuala lumpur,indonesia,jakarta,' +
  'thailand,bangkok,vietnam,hanoi,ho chi minh,philippines,manila,india,mumbai,delhi,new delhi,bangalore,pakistan,karachi,bangladesh,dhaka,' +
  'japan,tokyo,osaka,korea,south korea,seoul,australia,sydney,melbourne,new zealand,auckland,uae,dubai,abu dhabi,saudi arabia,riyadh,jeddah,' +
  'qatar,doha,kuwait,bahrain,oman,israel,tel aviv,turkey,istanbul,egypt,cairo,nigeria,lagos,kenya,nairobi,ghana,accra,south africa,' +
  'johannesburg,cape town,morocco,casablanca,united kingdom,uk,london,france,paris,germany,berlin,munich,frankfurt,spain,madrid,barcelona,' +
  'italy,milan,rome,netherlands,amsterdam,belgium,brussels,switzerland,zurich,austria,vienna,poland,warsaw,sweden,stockholm,norway,oslo,' +
  'denmark,copenhagen,finland,helsinki,russia,moscow,ukraine,kyiv,usa,us,united states,america,new york,los angeles,california,texas,canada,' +
  'toronto,vancouver,mexico,brazil,sao paulo,argentina,buenos aires,chile,santiago,colombia,bogota,peru,lima,asia,europe,africa'
)
  .split(',')
  .map((place) => place.split(' '))
  .sort((a, b) => b.length - a.length)

/** Letters of other scripts that look like Latin ones; used by the rules that warn, never by those that block. */
export const CONFUSABLES: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  ј: 'j',
  α: 'a',
  β: 'b',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
}
