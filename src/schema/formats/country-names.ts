/** Made by scripts/country-names.ts. A line is: ISO 3166 alpha-2|alpha-3|Chinese|English|other names that imports accept. */
export const COUNTRY_LINES = `
AD|AND|安道尔|Andorra
AE|ARE|阿联酋|United Arab Emirates|UAE
AF|AFG|阿富汗|Afghanistan
AG|ATG|安提瓜和巴布达|Antigua and Barbuda
AI|AIA|安圭拉|Anguilla
AL|ALB|阿尔巴尼亚|Albania
AM|ARM|亚美尼亚|Armenia
AO|AGO|安哥拉|Angola
AQ|ATA|南极洲|Antarctica
AR|ARG|阿根廷|Argentina
AS|ASM|美属萨摩亚|American Samoa
AT|AUT|奥地利|Austria
AU|AUS|澳大利亚|Australia
AW|ABW|阿鲁巴|Aruba
AX|ALA|奥兰|Åland Islands|Aland Islands
AZ|AZE|阿塞拜疆|Azerbaijan
BA|BIH|波黑|Bosnia and Herzegovina
BB|BRB|巴巴多斯|Barbados
BD|BGD|孟加拉国|Bangladesh
BE|BEL|比利时|Belgium
BF|BFA|布基纳法索|Burkina Faso
BG|BGR|保加利亚|Bulgaria
BH|BHR|巴林|Bahrain
BI|BDI|布隆迪|Burundi
BJ|BEN|贝宁|Benin
BL|BLM|圣巴泰勒米|Saint Barthélemy
BM|BMU|百慕大|Bermuda
BN|BRN|文莱|Brunei Darussalam
BO|BOL|玻利维亚|Bolivia
BQ|BES|荷兰加勒比区|Bonaire, Sint Eustatius and Saba
BR|BRA|巴西|Brazil
BS|BHS|巴哈马|Bahamas
BT|BTN|不丹|Bhutan
BV|BVT|布韦岛|Bouvet Island
BW|BWA|博茨瓦纳|Botswana
BY|BLR|白俄罗斯|Belarus
BZ|BLZ|伯利兹|Belize
CA|CAN|加拿大|Canada
CC|CCK|科科斯（基林）群岛|Cocos (Keeling) Islands
CD|COD|刚果（金）|Democratic Republic of the Congo|Congo
CF|CAF|中非|Central African Republic
CG|COG|刚果（布）|Republic of the Congo|Congo
CH|CHE|瑞士|Switzerland
CI|CIV|科特迪瓦|Côte d'Ivoire|Cote d'Ivoire|Ivory Coast
CK|COK|库克群岛|Cook Islands
CL|CHL|智利|Chile
CM|CMR|喀麦隆|Cameroon
CN|CHN|中国|China|People's Republic of China
CO|COL|哥伦比亚|Colombia
CR|CRI|哥斯达黎加|Costa Rica
CU|CUB|古巴|Cuba
CV|CPV|佛得角|Cape Verde
CW|CUW|库拉索|Curaçao
CX|CXR|圣诞岛|Christmas Island
CY|CYP|塞浦路斯|Cyprus
CZ|CZE|捷克|Czech Republic|Czechia
DE|DEU|德国|Germany
DJ|DJI|吉布提|Djibouti
DK|DNK|丹麦|Denmark
DM|DMA|多米尼克|Dominica
DO|DOM|多米尼加|Dominican Republic
DZ|DZA|阿尔及利亚|Algeria
EC|ECU|厄瓜多尔|Ecuador
EE|EST|爱沙尼亚|Estonia
EG|EGY|埃及|Egypt
EH|ESH|阿拉伯撒哈拉民主共和国|Western Sahara
ER|ERI|厄立特里亚|Eritrea
ES|ESP|西班牙|Spain
ET|ETH|埃塞俄比亚|Ethiopia
FI|FIN|芬兰|Finland
FJ|FJI|斐济|Fiji
FK|FLK|福克兰群岛|Falkland Islands (Malvinas)
FM|FSM|密克罗尼西亚联邦|Micronesia, Federated States of
FO|FRO|法罗群岛|Faroe Islands
FR|FRA|法国|France
GA|GAB|加蓬|Gabon
GB|GBR|英国|United Kingdom|UK|Great Britain
GD|GRD|格林纳达|Grenada
GE|GEO|格鲁吉亚|Georgia
GF|GUF|法属圭亚那|French Guiana
GG|GGY|根西|Guernsey
GH|GHA|加纳|Ghana
GI|GIB|直布罗陀|Gibraltar
GL|GRL|格陵兰|Greenland
GM|GMB|冈比亚|Republic of The Gambia|The Gambia|Gambia
GN|GIN|几内亚|Guinea
GP|GLP|瓜德罗普|Guadeloupe
GQ|GNQ|赤道几内亚|Equatorial Guinea
GR|GRC|希腊|Greece
GS|SGS|南乔治亚和南桑威奇群岛|South Georgia and the South Sandwich Islands
GT|GTM|危地马拉|Guatemala
GU|GUM|关岛|Guam
GW|GNB|几内亚比绍|Guinea-Bissau
GY|GUY|圭亚那|Guyana
HK|HKG|中国香港|Hong Kong|香港
HM|HMD|赫德岛和麦克唐纳群岛|Heard Island and McDonald Islands
HN|HND|洪都拉斯|Honduras
HR|HRV|克罗地亚|Croatia
HT|HTI|海地|Haiti
HU|HUN|匈牙利|Hungary
ID|IDN|印尼|Indonesia
IE|IRL|爱尔兰|Ireland
IL|ISR|以色列|Israel
IM|IMN|马恩岛|Isle of Man
IN|IND|印度|India
IO|IOT|英属印度洋领地|British Indian Ocean Territory
IQ|IRQ|伊拉克|Iraq
IR|IRN|伊朗|Islamic Republic of Iran|Iran
IS|ISL|冰岛|Iceland
IT|ITA|意大利|Italy
JE|JEY|泽西|Jersey
JM|JAM|牙买加|Jamaica
JO|JOR|约旦|Jordan
JP|JPN|日本|Japan
KE|KEN|肯尼亚|Kenya
KG|KGZ|吉尔吉斯斯坦|Kyrgyzstan
KH|KHM|柬埔寨|Cambodia
KI|KIR|基里巴斯|Kiribati
KM|COM|科摩罗|Comoros
KN|KNA|圣基茨和尼维斯|Saint Kitts and Nevis
KP|PRK|朝鲜|North Korea
KR|KOR|韩国|South Korea|Korea, Republic of|Republic of Korea
KW|KWT|科威特|Kuwait
KY|CYM|开曼群岛|Cayman Islands
KZ|KAZ|哈萨克斯坦|Kazakhstan
LA|LAO|老挝|Laos|Lao People's Democratic Republic|Lao PDR
LB|LBN|黎巴嫩|Lebanon
LC|LCA|圣卢西亚|Saint Lucia
LI|LIE|列支敦士登|Liechtenstein
LK|LKA|斯里兰卡|Sri Lanka
LR|LBR|利比里亚|Liberia
LS|LSO|莱索托|Lesotho
LT|LTU|立陶宛|Lithuania
LU|LUX|卢森堡|Luxembourg
LV|LVA|拉脱维亚|Latvia
LY|LBY|利比亚|Libya
MA|MAR|摩洛哥|Morocco
MC|MCO|摩纳哥|Monaco
MD|MDA|摩尔多瓦|Moldova, Republic of
ME|MNE|黑山|Montenegro
MF|MAF|法属圣马丁|Saint Martin (French part)
MG|MDG|马达加斯加|Madagascar
MH|MHL|马绍尔群岛|Marshall Islands
MK|MKD|北马其顿|The Republic of North Macedonia|North Macedonia
ML|MLI|马里|Mali
MM|MMR|缅甸|Myanmar
MN|MNG|蒙古|Mongolia
MO|MAC|中国澳门|Macao|澳门
MP|MNP|北马里亚纳群岛|Northern Mariana Islands
MQ|MTQ|马提尼克|Martinique
MR|MRT|毛里塔尼亚|Mauritania
MS|MSR|蒙特塞拉特|Montserrat
MT|MLT|马耳他|Malta
MU|MUS|毛里求斯|Mauritius
MV|MDV|马尔代夫|Maldives
MW|MWI|马拉维|Malawi
MX|MEX|墨西哥|Mexico
MY|MYS|马来西亚|Malaysia
MZ|MOZ|莫桑比克|Mozambique
NA|NAM|纳米比亚|Namibia
NC|NCL|新喀里多尼亚|New Caledonia
NE|NER|尼日尔|Niger
NF|NFK|诺福克岛|Norfolk Island
NG|NGA|尼日利亚|Nigeria
NI|NIC|尼加拉瓜|Nicaragua
NL|NLD|荷兰|Netherlands|The Netherlands|Netherlands (Kingdom of the)
NO|NOR|挪威|Norway
NP|NPL|尼泊尔|Nepal
NR|NRU|瑙鲁|Nauru
NU|NIU|纽埃|Niue
NZ|NZL|新西兰|New Zealand
OM|OMN|阿曼|Oman
PA|PAN|巴拿马|Panama
PE|PER|秘鲁|Peru
PF|PYF|法属波利尼西亚|French Polynesia
PG|PNG|巴布亚新几内亚|Papua New Guinea
PH|PHL|菲律宾|Philippines
PK|PAK|巴基斯坦|Pakistan
PL|POL|波兰|Poland
PM|SPM|圣皮埃尔和密克隆|Saint Pierre and Miquelon
PN|PCN|皮特凯恩群岛|Pitcairn|Pitcairn Islands
PR|PRI|波多黎各|Puerto Rico
PS|PSE|巴勒斯坦|Palestine|State of Palestine
PT|PRT|葡萄牙|Portugal
PW|PLW|帕劳|Palau
PY|PRY|巴拉圭|Paraguay
QA|QAT|卡塔尔|Qatar
RE|REU|留尼汪|Reunion
RO|ROU|罗马尼亚|Romania
RS|SRB|塞尔维亚|Serbia
RU|RUS|俄罗斯|Russia|Russian Federation
RW|RWA|卢旺达|Rwanda
SA|SAU|沙特阿拉伯|Saudi Arabia
SB|SLB|所罗门群岛|Solomon Islands
SC|SYC|塞舌尔|Seychelles
SD|SDN|苏丹|Sudan
SE|SWE|瑞典|Sweden
SG|SGP|新加坡|Singapore
SH|SHN|圣赫勒拿、阿森松和特里斯坦-达库尼亚|Saint Helena
SI|SVN|斯洛文尼亚|Slovenia
SJ|SJM|斯瓦尔巴和扬马延|Svalbard and Jan Mayen
SK|SVK|斯洛伐克|Slovakia
SL|SLE|塞拉利昂|Sierra Leone
SM|SMR|圣马力诺|San Marino
SN|SEN|塞内加尔|Senegal
SO|SOM|索马里|Somalia
SR|SUR|苏里南|Suriname
SS|SSD|南苏丹|South Sudan
ST|STP|圣多美和普林西比|Sao Tome and Principe
SV|SLV|萨尔瓦多|El Salvador
SX|SXM|荷属圣马丁|Sint Maarten (Dutch part)
SY|SYR|叙利亚|Syrian Arab Republic
SZ|SWZ|斯威士兰|Eswatini
TC|TCA|特克斯和凯科斯群岛|Turks and Caicos Islands
TD|TCD|乍得|Chad
TF|ATF|法属南部领地|French Southern Territories
TG|TGO|多哥|Togo
TH|THA|泰国|Thailand
TJ|TJK|塔吉克斯坦|Tajikistan
TK|TKL|托克劳|Tokelau
TL|TLS|东帝汶|Timor-Leste
TM|TKM|土库曼斯坦|Turkmenistan
TN|TUN|突尼斯|Tunisia
TO|TON|汤加|Tonga
TR|TUR|土耳其|Türkiye|Turkey
TT|TTO|特立尼达和多巴哥|Trinidad and Tobago
TV|TUV|图瓦卢|Tuvalu
TW|TWN|中国台湾|Taiwan|中国台湾省|Taiwan, Province of China|台湾|臺灣
TZ|TZA|坦桑尼亚|United Republic of Tanzania|Tanzania
UA|UKR|乌克兰|Ukraine
UG|UGA|乌干达|Uganda
UM|UMI|美国本土外小岛屿|United States Minor Outlying Islands
US|USA|美国|United States|United States of America|USA|U.S.A.|US|U.S.
UY|URY|乌拉圭|Uruguay
UZ|UZB|乌兹别克斯坦|Uzbekistan
VA|VAT|梵蒂冈|Holy See (Vatican City State)
VC|VCT|圣文森特和格林纳丁斯|Saint Vincent and the Grenadines
VE|VEN|委内瑞拉|Venezuela
VG|VGB|英属维尔京群岛|Virgin Islands, British
VI|VIR|美属维尔京群岛|Virgin Islands, U.S.
VN|VNM|越南|Vietnam
VU|VUT|瓦努阿图|Vanuatu
WF|WLF|瓦利斯和富图纳|Wallis and Futuna
WS|WSM|萨摩亚|Samoa
XK|XKK|科索沃|Kosovo
YE|YEM|也门|Yemen
YT|MYT|马约特|Mayotte
ZA|ZAF|南非|South Africa
ZM|ZMB|赞比亚|Zambia
ZW|ZWE|津巴布韦|Zimbabwe
`
