/** The explanations of the words of reports in Chinese. */
export const REPORTS_IN_CHINESE: Readonly<Record<string, string>> = {
  'Figures, charts and tables over the aggregate call of an entity, or over a call of a module.':
    '数字、图表和表格：取自实体的汇总调用，或某个模块的调用。',
  'What is counted; the fields of filters, dimensions and measures come from it.': '统计的对象；筛选、维度和指标的字段都取自它。',
  'Row view of the entity that is counted in; default: all rows that the viewer may see.':
    '在实体的哪个行视图内统计；默认：查看者可见的全部行。',
  'What figures are told by.': '按什么分组。',
  'Default: the label of the field.': '默认：字段的名称。',
  'Another entity than that of the report: its field gives label and words.': '取其他实体的字段，名称和取值文字随之。',
  'Field of the entity, or one through references (customerId.level). Label, words and drill-down follow from it.':
    '实体的字段，或经过引用的字段（customerId.level）；名称、文字和下钻随之而定。',
  'Days and moments by day, week, month, quarter or year of the company.': '日期和时间按公司的日、周、月、季度或年分组。',
  'How values are shown: country for codes of a source; hour for moments by their hour of the day alone, beside a dimension of days.':
    '值如何显示：country 用于来源数据的国家代码；hour 只显示时刻在当天的小时，与按日的维度同用。',
  'The colour in all charts of the report, of what has a meaning: green for profit, red for what failed. Default: one after the other.':
    '在本报表所有图表中的颜色，用于有含义的度量：利润为绿色，失败为红色。默认依次取色。',
  'Measures of another unit have a second axis. Of two dimensions the second one tells the lines or bars apart. heat: two dimensions by the depth of a colour; scatter: two measures against each other.':
    '单位不同的度量使用第二坐标轴。有两个维度时，第二个维度区分各条线或各组柱。热力图以颜色深浅表示两个维度；散点图对照两个度量。',
  'Lines or bars stand on top of each other, as parts of a whole.': '折线或柱相互堆叠，表示整体的各个部分。',
  'Words for the values of a source.': '来源数据的值对应的文字。',
  'What is counted, added up or compared.': '统计、求和或比较的内容。',
  'Default: the label of the field, or of the entity.': '默认：字段或实体的名称。',
  'Another entity than that of the report; it has the fields of the filters and dimensions that it is shown with.':
    '统计其他实体；它须具有与之同列的筛选和维度字段。',
  'How many rows.': '行数。',
  'Field whose different values are counted.': '统计该字段有多少个不同的值。',
  'Field that is added up; money by currency.': '求和的字段；金额按币种分列。',
  'Field whose average is told.': '取平均值的字段。',
  'Field whose least value is told.': '取最小值的字段。',
  'Field whose greatest value is told.': '取最大值的字段。',
  'Field whose middle value is told.': '取中位数的字段。',
  'Of a day or moment that is averaged or compared: the days since this earlier one, instead of the day itself.':
    '对日期求平均或比较时：不取日期本身，而取自这个较早日期起的天数。',
  'Two measures of the same entity: the first as a share of the second.': '同一实体的两个指标：前者占后者的比例。',
  'Rows that this measure counts, besides the filters.': '除筛选之外，该指标统计哪些行。',
  'Two measures of the same entity: the first less the second; a ratio may be of it.':
    '同一实体的两个指标：前者减去后者；比例可以取自它。',
  'Default: percent for a ratio, money for a difference, else as the field.':
    '默认：比例显示为百分比，差额显示为金额，其他与字段一致。',
  'convert:USD tells money in one currency by the rates of its days; for a source: its one currency.':
    'convert:USD 按当日汇率折算为一种币种；对来源数据：其唯一币种。',
  'Of a source: member of the row that holds the currency; amounts of several currencies are never added up.':
    '来源数据中保存币种的字段；不同币种的金额不相加。',
  'Where the number leads; default: a list of the entity that shows the same rows. Over the row for a source.':
    '点击数字打开的地址；默认：该实体的列表，显示同样的行。来源数据可用 row 表达式。',
  'The row set of the answer of the source that the block shows; default rows.': '区块显示来源应答中的哪个行集；默认 rows。',
  'Rows that the block counts, besides the filters.': '除筛选之外，该区块统计哪些行。',
  'A row with the figures of all rows at the end of the table.': '表格末尾显示全部行的合计。',
  'Order of the rows; default: by the dimensions, words in the order of their dictionary.':
    '行的顺序；默认按维度，文字按字典的顺序。',
  'A dimension or measure of the block.': '区块的一个维度或指标。',
  'Most rows that are told.': '最多显示多少行。',
  'Tells the change against the period before the one that is filtered by, or against the same one a year ago.':
    '显示与筛选期间的上一期或去年同期相比的变化。',
  'Where a row leads: a list of the entity that is opened with the conditions of the row; over the row for a source.':
    '点击一行打开的地址：带着该行条件打开实体的列表；来源数据可用 row 表达式。',
}
