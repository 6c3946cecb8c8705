import type { Locale } from '../../../schema/problem'
import { PROCESSES_IN_CHINESE } from './processHelp'
import { REPORTS_IN_CHINESE } from './reportHelp'
import { RULES_IN_CHINESE } from './ruleHelp'

/** The explanations of the meta-schemas in Chinese. One that is not here is shown as it is written there. */
const CHINESE: Readonly<Record<string, string>> = {
  ...RULES_IN_CHINESE,
  ...REPORTS_IN_CHINESE,
  ...PROCESSES_IN_CHINESE,
  'One condition on a field of the entity.': '实体字段上的一个条件。',
  'Field of the entity.': '实体的字段。',
  'A condition on a field (field, operator, value), or a group: or, and.':
    '字段上的一个条件（field、operator、value），或一个条件组：or、and。',
  'Field of the entity, or a path through references, e.g. customerId.level.':
    '实体的字段，或经过引用的路径，例如 customerId.level。',
  'Instead of a field: conditions of which at least one holds. Up to four groups stand inside one another.':
    '代替字段：其中至少一个条件成立。条件组最多嵌套四层。',
  'Instead of a field: conditions that all hold.': '代替字段：其中的条件全部成立。',
  'Default: the first operator of the field kind.': '默认：该字段类型的第一种比较方式。',
  'A value, or an expression over user, today, now, query and record.':
    '一个值，或基于 user、today、now、query、record 的表达式。',
  'An expression {{ … }}, or a text with expressions in it.': '表达式 {{ … }}，或含有表达式的文字。',
  'A permission key (the international key of a menu or button resource).': '权限键（菜单或按钮资源的 international 键）。',
  'Modules whose hooks, roles and demo rows come before its own where they are there, also when they need it.':
    '存在时，其钩子、角色和演示数据先于本模块的模块，即使它需要本模块。',
  'Modules without which this one cannot be; their hooks, roles and demo rows come before its own.':
    '本模块离不开的模块；它们的钩子、角色和演示数据排在本模块之前。',
  'Modules that it works with where they are there; without one of them, what would show its records is left out.':
    '本模块会用到、但可以没有的模块；没有时，显示其记录的内容会被略去。',
  'What it is called, where that is not the title of its page.': '名称；与页面标题相同时不写。',
  'METHOD /path of a server call, e.g. POST /v2/crm/customer/queryPage.': '服务端调用，例如 POST /v2/crm/customer/queryPage。',
  'Default: the label of the transition or of the operation.': '默认：流转或内置操作的名称。',
  'An icon name.': '图标名称。',
  'Disabled if true.': '为真时禁用。',
  'Why it is disabled.': '禁用的原因。',
  'A text that has to be typed first.': '确认前须输入的文字。',
  'Opens a page; an address with expressions.': '打开一个页面；地址可含表达式。',
  'Opens a form page by its name (module/file) in a drawer or modal.': '按名称（模块/文件）在抽屉或弹窗中打开表单页。',
  'Where the form opens; default drawer.': '表单的打开方式；默认抽屉。',
  "Where the form opens; default drawer. Of a row's open: drawer shows the page beside the list.":
    '表单的打开方式；默认抽屉。行的打开动作：drawer 在列表旁显示页面。',
  'Initial values of the form, or parameters of the transition. A name with $ is not sent, controls look at it: $countryCode for phone numbers.':
    '表单的初始值，或流转的参数。以 $ 开头的名称不提交，只供控件参考：$countryCode 用于电话号码。',
  'A transition of the entity.': '实体的一个流转。',
  'A server call; what it wants in the address of a POST stands there: POST /v2/x/enable?id={id}.':
    '一个服务端调用；POST 须放在地址里的值写在其后：POST /v2/x/enable?id={id}。',
  'Parameters of the call.': '调用的参数。',
  'Shown when it is done.': '完成后显示的提示。',
  'An operation of the entity.': '实体的内置操作。',
  'Copies a text.': '复制一段文字。',
  'Downloads from an address of the gateway.': '从服务端地址下载。',
  'What the page does afterwards; default reload.': '完成后页面做什么；默认刷新。',
  'Default: the field.': '默认：字段名。',
  'Field of the entity, or ref.field one step away.': '实体的字段，或隔一层引用的 引用.字段。',
  'Instead of a field.': '代替字段的值。',
  'Off until somebody turns it on.': '默认不显示，可由用户打开。',
  'Makes the cell a link.': '使单元格成为链接。',
  'success, processing, warning, error or null.': 'success、processing、warning、error 或 null。',
  'A registered cell widget.': '已注册的单元格组件。',
  'Where its choices come from, instead of enum.': '选项从哪里来，代替 enum。',
  'Choices of a field of a form: of a dictionary, an entity, a call that reads, or a list of the same form.':
    '表单字段的选项：来自字典、实体、只读的调用，或同一表单中的列表。',
  'The values of a dictionary.': '一个字典的值。',
  'The records of an entity that the viewer may see.': '一个实体中用户可见的记录。',
  'Of an entity: which records. A value may be an expression over the form; while it is empty nothing is offered and the field before is named.':
    '用于实体：哪些记录。值可以是基于表单的表达式；它为空时不提供选项，并提示先填写哪个字段。',
  'Of an entity: their order; default by title.': '用于实体：排列次序；默认按标题。',
  'What a call answers that reads only: a list, or an object with records.':
    '一个只读调用的回答：一个列表，或带有 records 的对象。',
  'Parameters of the call. A value may be an expression over the form; while it is empty nothing is asked.':
    '调用的参数。值可以是基于表单的表达式；它为空时不请求。',
  'The rows of a list of this form, by its path; one that begins with a dot stands beside the field, in the same row.':
    '本表单中一个列表的行，写列表的路径；以点开头的列表与该字段在同一行。',
  'Only the rows for which it is true; it reads row and the form. Records of an entity are chosen by where.':
    '只要它为真的行；可读取 row 和表单。实体的记录用 where 选取。',
  'What a choice is called: a member of the row, or an expression over row. Default of an entity: the title.':
    '选项的名称：行的一个成员，或基于 row 的表达式。实体默认为标题。',
  'The member of the row that is stored. Default of an entity: id; of rows: the label.':
    '保存行的哪个成员。实体默认为 id；列表的行默认与名称相同。',
  'For trees: the member that holds the rows below.': '用于树：存放下级行的成员。',
  'For trees: the member that holds the value of the row above.': '用于树：存放上级行的值的成员。',
  'Fields of where, and parameters, that may be empty: they are then left out.': 'where 中的字段或参数，可以为空；为空时略去。',
  'Another control than the one of the kind.': '替换该类型的默认控件。',
  'A value or an expression.': '一个值或表达式。',
  'Behind "more" until somebody opens it.': '收在“更多”里，打开后显示。',
  'May be changed where it stands, by whoever may edit the record.': '可编辑该记录的人可以直接在列表中修改。',
  'The fields that a new record is begun with; the others stand behind "more", unless they have to be filled. false: all stand there. Without the word the whole form opens, and those of worth where a record is made from a field that names it.':
    '新建记录时先填的字段，其余收在“更多”之后，除非必填。false：全部显示。不写时打开完整表单；从引用字段新建时，先显示有作用的字段。',
  'What happened and nobody changes: several of these stand in one tab, each a kind of it.':
    '发生过、不再修改的内容：多个这样的标签合为一个“日志”标签，各为其中一类。',
  'May be edited in place.': '可以就地编辑。',
  'Default 3.': '默认 3。',
  'A registered widget instead of fields.': '用已注册的组件代替字段。',
  'A form page that edits this section in a drawer.': '在抽屉中编辑这个分区的表单页。',
  'entity.field': '实体.字段',
  'string, number, boolean, array, object or void; ["string", "null"] is a string.':
    'string、number、boolean、array、object 或 void；["string", "null"] 即 string。',
  'Has to be filled; a list names the fields of this node that have to be.': '必填；写成列表时，为本节点内必填的字段。',
  'A text in both languages or an expression.': '中英文文字，或表达式。',
  'As in entities.': '与实体中相同。',
  "Shown if true; an expression, e.g. {{ $values.kind === 'agent' }}.":
    "为真时显示；表达式，例如 {{ $values.kind === 'agent' }}。",
  'Not shown, its value stays.': '不显示，值保留。',
  'Locked if true.': '为真时锁定。',
  'editable, disabled, readOnly, readPretty, or an expression.': 'editable、disabled、readOnly、readPretty，或表达式。',
  'An expression: the field follows it.': '表达式：字段的值随之变化。',
  'Rules of this form; what must hold everywhere is a rule of the entity.':
    '只对本表单生效的规则；处处都要遵守的规则写在实体上。',
  'The smallest number, or the first day.': '允许的最小数，或最早的日期。',
  'The largest number, or the last day.': '允许的最大数，或最晚的日期。',
  'The fewest characters.': '最少字符数。',
  'The most characters.': '最多字符数。',
  'A regular expression that the value has to match.': '值须匹配的正则表达式。',
  'What is said when it does not hold.': '不满足时的提示。',
  'The field is there only for whoever holds the key.': '只对拥有该权限的人显示。',
  'Must be filled in if true.': '为真时必填。',
  'Linkages: what follows when other fields change.': '联动：其他字段变化时随之变化的内容。',
  'One linkage: of this field, or with a target of another one.': '一条联动：作用于本字段，或作用于目标字段。',
  'Another field that changes; without it this one.': '随之变化的另一个字段；不写则为本字段。',
  'Fields that it reads, as $deps.': '读取的字段，在表达式中为 $deps。',
  'When it holds, "then" is done, else "otherwise".': '成立时执行“满足时”，否则执行“不满足时”。',
  'What is set when it holds.': '成立时设置什么。',
  'What is set when it does not hold.': '不成立时设置什么。',
  'What the field is: visible, value, title, required.': '字段的状态：是否显示、值、标题、必填等。',
  'Words of the node: x-visible, x-value, x-component-props.': '节点的设置：x-visible、x-value、x-component-props。',
  'Another control than the one of the kind; Group for a group.': '替换默认控件；分组为 Group。',
  'Settings of the control.': '控件的设置。',
  'Where it stands.': '所在位置。',
  'How many columns of the form it takes.': '占表单的几列。',
  'The entity whose rows are listed.': '列出哪个实体的数据。',
  'A row view of the entity.': '实体的一个行视图。',
  'Fixed conditions on top of the view.': '行视图之外的固定条件。',
  'Another row view of the entity.': '实体的另一个行视图。',
  'Shows how many rows it has.': '显示有多少行。',
  'Quick keyword over the x-search fields; default true.': '在可搜索字段中快速搜索；默认开启。',
  'Fields that the page does not name: those with x-list as last columns, those with x-filter among the further filters; default true.':
    '页面没有写明的字段：列表字段排在最后，筛选字段收进更多筛选；默认开启。',
  'A summary row.': '合计行。',
  'Nothing there yet: a sentence, and the id of the first action.': '没有数据时：一句话，以及第一个操作的标识。',
  'A registered widget above the filters.': '筛选上方的已注册组件。',
  'Other calls than those of the entity.': '代替实体自身的调用。',
  'The route.': '页面的路由。',
  'One line of help under the title.': '标题下的一行说明。',
  'The international key of its menu resource.': '菜单资源的 international 键。',
  'The menu entry that a page outside the menu highlights.': '不在菜单中的页面所高亮的菜单项。',
  'Shown in the tab bar; default true.': '显示在标签栏；默认开启。',
  'Shown with the side menu; default true.': '显示侧边菜单；默认开启。',
  'Not in the menu.': '不在菜单中。',
  'The tab title from the query, e.g. {{ query.name }}.': '来自地址参数的标签标题，例如 {{ query.name }}。',
  'The entity of the record.': '记录所属的实体。',
  'The id of the record; default {{ query.id }}.': '记录的编号；默认 {{ query.id }}。',
  'Three to five key figures.': '三到五个关键数字。',
  'Fields shown as states.': '显示为状态的字段。',
  'The field that holds the state.': '保存状态的字段。',
  'Fields that the page does not name stand in a section at the end; default true.':
    '页面没有写明的字段放在最后的分区；默认开启。',
  'A registered widget.': '已注册的组件。',
  'Parameters of the widget, over record.': '组件的参数，可用 record。',
  'Shows the number of rows; default: of a list.': '显示行数；列表默认显示。',
  'Its list stands in the column of what is related, with count, sum and the rows that are still open; default true.':
    '其列表显示在“相关”栏中：行数、合计和未完结的数据；默认显示。',
  'The rows stand in the timeline of the record, with its log.': '各行与操作日志一起显示在记录的动态中。',
  'Form page of the box at the head of the timeline in which the next row is written. Values, permission and condition are those of the first action of the list that opens a form.':
    '动态上方输入框所用的表单页，用来写下一行。取值、权限与显示条件同列表中第一个打开表单的操作。',
  'The log of the record, with the rows of tabs that say timeline; default true.':
    '记录的动态：操作日志，以及标明 timeline 的页签中的各行；默认显示。',
  'Fields without a value are folded away where there are several of them; default true.': '没有值的字段较多时收起；默认收起。',
  'The column of what is related: people, and the lists of the tabs with counts and sums; default true.':
    '“相关”栏：相关人员，以及各标签页列表的行数和合计；默认显示。',
  'The form page that edits the record.': '编辑记录的表单页。',
  'The entity it saves.': '保存到哪个实体。',
  'Fields that the form does not name stand at its end; default true. Never when it submits a transition or another call.':
    '表单没有写明的字段放在最后；默认开启。提交流转或其他调用时不适用。',
  'An anchor list of the groups.': '分组的锚点导航。',
  'Initial values of a new record.': '新记录的初始值。',
  'Default: the save call of the entity.': '默认：实体的保存调用。',
  'Keeps a local draft; default true.': '在本机保留草稿；默认开启。',
  'Shows values only.': '只显示值。',
  'The field that names a record.': '用作记录名称的字段。',
  'Fields that must be given.': '必须填写的字段。',
  'JSON Schema type.': 'JSON Schema 类型。',
  'A type that the whole portal shares; one file in src/schema/formats each.': '全系统通用的格式。',
  'Set by the server, never typed.': '由服务端设置，不能输入。',
  'The label in both languages.': '中英文名称。',
  'One line under the field.': '字段下的一行帮助。',
  'Name of the dictionary whose codes it holds.': '取值的字典名称。',
  'Name of the entity whose ids it holds.': '引用的实体名称。',
  'Which rows of the referenced entity may be chosen.': '可以选择被引用实体的哪些记录。',
  'What a number counts (ms, days, a segment): shown behind it and in the head of its columns, never part of the value.':
    '数字的单位（ms、天、每条）：显示在数字后和列标题中，不属于值本身。',
  'What a number counts (ms, days, a segment): shown behind it, never part of the value.':
    '数字的单位（ms、天、每条）：显示在数字后，不属于值本身。',
  'Decimals stored.': '保存的小数位数。',
  'Masked for whoever lacks this key, in lists, details, exports and search.':
    '没有该权限的人在列表、详情、导出和搜索中看到掩码。',
  'Searched by the quick keyword; a reference by what its record is searched by.':
    '快速搜索时搜索；引用字段按所引用记录的搜索字段查找。',
  'The quick keyword finds it by its whole value only; for ids and codes that are pasted.':
    '快速搜索只按完整的值查找；用于粘贴的编号。',
  'Shown by default in the filter row.': '默认显示在筛选行。',
  'Whether a table of lines adds the column up. Default: amounts and whole numbers do; what is called a price or a rate, and other decimals, do not, unless true.':
    '明细表是否合计该列。默认：金额和整数合计；名称为单价、费率的，以及其他小数不合计，填“是”则合计。',
  'A day or moment that lies ahead (an appointment, a deadline): its filter offers what is overdue and the next days instead of the past ones.':
    '面向未来的日期或时间（预约、期限）：筛选提供逾期和未来几天，而不是过去几天。',
  'A default column of lists.': '列表的默认列。',
  'May be given when the record is created and never changed.': '新建时可填，之后不能修改。',
  'Suggested column width in pixels.': '建议列宽（像素）。',
  'Kept with its data, no longer shown.': '数据保留，不再显示。',
  'What the rows that are already there get when the field is new (one value for all); without it a fixed default, else nothing.':
    '新增字段时，已有记录填入的值（都一样）；不填则用固定默认值，否则为空。',
  'Codes of the roles that get the key at the moment when the entry is made; who holds it later is managed with the permissions.':
    '建立菜单项时授予的权限组编码；之后在“权限管理”中调整。',
  'What is stored.': '保存的值。',
  'An antd tag colour.': '标签颜色。',
  'Kept for old rows, no longer offered.': '保留给旧数据，不再提供选择。',
  'In the order in which they are offered.': '按提供选择的顺序。',
  'Further facts, e.g. the win rate of a stage.': '其他信息，例如阶段的赢率。',
  'What a text may look like; the example row of an import file takes the first.': '文本的样子；导入模板的示例行取第一个。',
  'Regular expression (linear-time subset).': '正则表达式（线性时间子集）。',
  'Opens in a new tab (R071).': '在新标签页打开（R071）。',
  'How it is shown: one file a route.': '如何显示：一个路由一个文件。',
  'A text in both languages.': '中英文文字。',
  Chinese: '中文',
  English: '英文',
  'A stable id: what an admin may change is addressed by it, never by a position.':
    '固定的标识：可调整的内容按标识定位，不按位置。',
  'Something that a person can do. One of open, form, transition, call, operation, copy, download; none: the transition of the entity that its id names.':
    '一个操作：打开地址、打开表单、流转、调用、内置操作、复制、下载，只取其一；都不写则是与标识同名的流转。',
  'What a value has to meet, in the words of Formily, and what is said when it does not.':
    '值须满足的条件（Formily 写法），以及不满足时的提示。',
  'A node of a Formily JSON schema. {"$field": "crm.customer.name"} inherits everything from the entity.':
    'Formily JSON schema 的节点；{"$field": "crm.customer.name"} 继承实体字段的全部设置。',
  'A list inside another page.': '其他页面中的列表。',
  'Saved views for everybody, as tabs above the filters.': '所有人可见的公共视图，显示为筛选上方的标签。',
  'Columns, by id or field, that this tab shows though they are hidden elsewhere.':
    '此标签下显示、其他标签下隐藏的列（写列的 id 或字段名）。',
  'Columns, by id or field, that say nothing in this tab and are hidden there.':
    '在此标签下没有意义而隐藏的列（写列的 id 或字段名）。',
  'A column of a table: in each row it takes control and options of the field that another column names.':
    '表格的一列：每行采用另一列所选字段的控件和选项。',
  'The entity whose fields the rows name.': '各行所选字段所属的实体。',
  'The column that holds the name of the field.': '存放字段名的列。',
  'How a column differs from that of the entity.': '与实体默认列不同之处。',
  'How the columns differ from the default ones, by field: false leaves one out; what the entity has not comes behind the others, or behind the column that it names.':
    '与默认列不同之处，按字段书写：false 表示去掉；实体没有的列排在最后，或排在所指的列之后。',
  'The column that it stands behind; empty: it is the first.': '排在哪一列之后；留空则为第一列。',
  'What it shows, where that is not the field it is called by.': '显示的内容，若与所用的字段名不同。',
  'false: it does not stand still.': 'false：不固定。',
  'Makes the cell a link; false: it is none.': '使单元格成为链接；false 则不是链接。',
  'Default: the fields with x-worth or x-list.': '默认：有 x-worth 或标有 x-list 的字段。',
  "Why the columns stand in an order of the page's own, in a sentence. Default: by x-worth (title, who, amount, state, when), then as the page has them.":
    '列为什么按页面自己的次序排列，用一句话说明。默认：按 x-worth（名称、对象、数额、状态、时间）排列，其余按页面的次序。',
  'Default: the fields with x-filter.': '默认：标有 x-filter 的字段。',
  'pages (default): page numbers. more: rows are added below on demand, each once, whatever comes or goes meanwhile; for long histories.':
    'pages（默认）：按页码翻页；more：按需在下方追加，期间有增减也不重复，适合很长的记录。',
  'Default id.': '默认 id。',
  'How the rows are seen at first; default table.': '各行最初的显示方式；默认表格。',
  'The field of a dictionary below whose values the rows can be seen as cards. Default: the state that row actions change, where it has three values or more; false: no board.':
    '字典字段：各行可以按它的值显示为看板卡片。默认是行操作所改变的状态（至少三个值）；false 表示没有看板。',
  'The day or moment by which the rows can be seen on the days of a month.': '日期或时间字段：各行可以按它显示在月历上。',
  'The field of a column by which the rows of the table are grouped at first: a choice, a reference, or a day by its month.':
    '表格最初按哪个字段（须有列）分组：选项、引用，或按月的日期。',
  'Of the list.': '列表的操作。',
  'Of a row.': '单行的操作。',
  'Of the selected rows.': '所选行的操作。',
  'Rows of an entity with filters, columns and actions.': '实体的数据行，带筛选、列和操作。',
  'The meta-schema of this file, for editors.': '本文件的元模式，供编辑器使用。',
  'Version of the language that the file is written in.': '文件所用语言的版本。',
  'module/file of a page without a route, given by its file name; do not write it.':
    '没有路由的页面的“模块/文件”，由文件名得出，不必填写。',
  'Only one tab for the path (R041).': '同一路径只开一个标签（R041）。',
  'A detail page: always permitted, never in the menu (R049, R050).': '详情页：始终允许打开，不在菜单中（R049、R050）。',
  'One record.': '一条记录。',
  'A row view of the entity that the record is read through (e.g. the masked sea view).':
    '读取记录所用的行视图（例如脱敏的公海视图）。',
  'A bar of the states of a field; a step is a button when an action of the header leads there and asks for nothing.':
    '字段各状态的进度条；页头有直达且无需填写的操作时，该步可以点击。',
  'The states in order; default: all values of the dictionary. Another state stands behind them while the record is in it.':
    '按顺序列出的状态；默认为字典的全部值。记录处于其他状态时，该状态显示在最后。',
  'The files field shown as a tab.': '显示为标签页的附件字段。',
  'A form.': '表单。',
  'The id of the record that is edited; empty = a new one. Default {{ query.id }}.':
    '被编辑记录的 id；空 = 新建。默认 {{ query.id }}。',
  'Name -> value or expression.': '名称 → 值或表达式。',
  'Where to go afterwards, over answer and values.': '完成后打开的地址，可用 answer 和 values。',
  'Obtains a key first (R283); default true.': '先取得防重复提交的键（R283）；默认是。',
  'Figures, charts and tables over one call.': '基于一个调用的指标、图表和表格。',
  'Where the filter fields come from.': '筛选字段的来源。',
  'Member of the row that holds the currency; amounts of several currencies are never added up.':
    '行中表示币种的成员；不同币种的金额不会相加。',
  'Drill-down address of this number, over the row; the filters of the report travel along.':
    '点击该数字打开的地址，可用行的数据；报表的筛选会一并带上。',
  'The row set of the answer that the block shows; default rows. The gateway counts and groups, so that not every row travels.':
    '该块显示的数据集；默认 rows。由服务端汇总分组，不传输全部数据行。',
  'Drill-down address over the row.': '点击打开的地址，可用行的数据。',
  'Said when the row set is empty.': '没有数据时的提示。',
  'A specialised screen.': '专用页面。',
  "Checked by the widget's own schema.": '由组件自己的模式检查。',
  'A sub-application.': '子应用。',
  'Name of the sub-application; its address comes from the configuration.': '子应用名称；地址来自配置。',
  'What a thing is: fields, labels, dictionaries, states, rules. Tables, API, lists, filters, forms, imports and exports come from it.':
    '业务对象的定义：字段、名称、字典、状态、规则；数据表、接口、列表、筛选、表单、导入导出都由此产生。',
  'module.thing in camel case.': '模块.对象，驼峰写法。',
  'Shown instead of the title field, e.g. {{ name + " (" + jobNumber + ")" }}.':
    '代替标题字段显示，例如 {{ name + " (" + jobNumber + ")" }}。',
  'The fields.': '字段。',
  'Row scope: owned (ownerId, ownerDeptId and ownedAt are added), public (every signed-in member of staff), restricted (the read key), that of a parent record, or the one member of staff whom a field names.':
    '数据范围：owned（增加 ownerId、ownerDeptId、ownedAt）、public（所有已登录员工）、restricted（凭读取权限键）、随上级记录，或某字段指定的员工本人。',
  'The reference field to the parent.': '引用上级记录的字段。',
  'Who may change rows: whoever may change the parent (`parent`, the default), or whoever sees the parent and has the key of the act (`key`).':
    '谁能修改记录：能修改上级的人（`parent`，默认），或能看到上级并有该操作权限的人（`key`）。',
  'Rows are lines of the parent: saved with it in their order (position), told in its history.':
    '各行是上级单据的明细：按行号与单据一起保存，变化记在单据的操作记录中。',
  'The reference field to the one member of staff who may see and change the row.': '引用字段，指向可查看和修改该行的员工。',
  'Keys by operation; an operation without a key does not exist in the generic API.':
    '各操作的权限键；没有键的操作在通用接口中不存在。',
  'Named row views that the gateway enforces.': '由服务端执行的命名行视图。',
  'Fixed conditions.': '固定条件。',
  "Key that exporting this view needs instead of the entity's export key.": '导出该视图所需的权限键，代替实体的导出键。',
  'Field -> hide or mask in this view.': '字段 → 在该视图中隐藏或脱敏。',
  'State machines, one a field.': '状态机，每个字段一个。',
  'The field that holds the state (a dictionary field).': '保存状态的字段（字典字段）。',
  'State of a new record.': '新记录的状态。',
  'Invariants checked on every save.': '每次保存都检查的规则。',
  'The field that shows the message.': '显示提示的字段。',
  'Indexes over several fields.': '多字段索引。',
  'A field; a leading minus means descending.': '字段；前面加减号表示降序。',
  'Unique among live rows.': '在未删除的行中唯一。',
  'Default order.': '默认顺序。',
  'Base path of its calls; default /v2/<module>/<thing>.': '调用的基础路径；默认 /v2/<模块>/<对象>。',
  'Writes leave an audit row; default true.': '写入时记录日志；默认是。',
  'A registered domain service with hooks around save, delete and transitions.': '已注册的领域服务，在保存、删除和流转前后执行。',
  'A field: standard JSON Schema, and what the portal needs to know of it.': '字段：标准 JSON Schema，以及系统需要的补充说明。',
  'Of an array field.': '数组字段的成员。',
  'A value or an expression over user, today and now.': '一个值，或基于 user、today、now 的表达式。',
  'Field that it was copied from or is made of, e.g. crm.customer.name, or several: whoever does not see one of them in clear does not see the copy.':
    '抄自或由其组成的字段（可多个），例如 crm.customer.name：看不到其中任何一个原值的人也看不到抄本。',
  'Field of the same entity that holds the currency, or a fixed ISO 4217 code in capitals; in rows of a form also head.currency, a field of the form.':
    '同一实体中存放币种的字段，或固定的大写 ISO 4217 代码；在表单的明细行中还可写 head.currency，即表单的字段。',
  'A date that stands for its whole month: kept as the first day, shown and exported as year and month.':
    '代表整个月的日期：保存为当月第一天，显示和导出为年月。',
  'Gets an index of its own.': '单独建立索引。',
  'Kept by the server and never sent to a browser.': '仅由服务端保存，不发送到浏览器。',
  'Another form control than the one of its kind.': '替换该类型的默认表单控件。',
  'Filled when it is read; not stored, filtered or sorted.': '读取时填入；不保存，不能筛选或排序。',
  'Filled by the entity service.': '由实体服务填入。',
  'Why the record refuses a transition now, whoever asks; empty where it takes it, or is in another state.':
    '本记录现在为何拒绝某个流转（不论谁来执行）；可以执行或不在该状态时为空。',
  'The transition.': '流转。',
  'Only asked for: the entity service turns a condition on it into rows; never stored, shown, sorted or sent.':
    '仅用于查询：由实体服务把条件转换为数据行；不保存、不显示、不排序、不发送。',
  'False: shown only where a page names it, not among the rest at the end; default true.':
    '否：只在页面点名的位置显示，不列在末尾的其余字段中；默认是。',
  'States in which it is possible.': '可以执行的状态。',
  'The state after it; without it the record keeps its state (a hand-over, an extension).':
    '执行后的状态；不填则状态不变（例如移交、延期）。',
  'Destroys or gives away something.': '会删除或交出数据。',
  'Fields of the entity that are asked for and stored with it.': '执行时填写并保存的实体字段。',
  'What can be chosen: values, or { label, value }; or an expression that answers such a list.':
    '可选的值，或 { label, value }；也可以是返回这种列表的表达式。',
  'Of the fields and inputs, the required ones.': '字段和参数中的必填项。',
  'A registered domain service that does more than change the state.': '已注册的领域服务，除改变状态外还执行其他处理。',
  'Parameters of the transition that are not fields of the entity (a reason, a receiver): name -> field.':
    '流转的参数，不是实体字段（例如原因、接收人）：名称 → 字段。',
  'The input or field that says why: the log tells it as the reason.': '说明原因的参数或字段，日志中作为原因显示。',
  'A module: menu tree, icons, permission keys, routes.': '模块：菜单、图标、权限键和路由。',
  'The folder of its documents, and what its entities and pages are named by.': '文档所在的目录，其实体和页面以此命名。',
  'First segment of its routes, where that is not its name.': '与模块名不同时，路由的第一段。',
  'What its documents were called before: names that are stored or come in files mean the present ones.':
    '文档以前的名称：已保存的或文件中的旧名称指向现在的文档。',
  'Names that it had as a module.': '模块以前的名称。',
  'Former page (module/file) -> the file of the page now, where that is another one.':
    '以前的页面（模块/文件）→ 现在的文件，仅在文件名不同时给出。',
  'An antd icon in camel case without its suffix, e.g. fileSearch for FileSearchOutlined.':
    'antd 图标名称，驼峰写法，不带后缀，例如 FileSearchOutlined 写作 fileSearch。',
  'Order in the top navigation.': '在顶部导航中的顺序。',
  'iframeName of the catch-all sub-application (R035).': '兜底子应用的 iframeName（R035）。',
  'The route table of the module.': '模块的路由表。',
  "What the module can show on the home page; of another module's pages only where that is there.":
    '模块可在首页显示的内容；其他模块的页面仅在该模块存在时显示。',
  'A part of the home page: rows of a tab of a list, or a block of a report. Whoever may not open the page has no such card.':
    '首页的一部分：列表某个标签的行，或报表的一块。无权打开该页面的人没有这张卡片。',
  'Default: the title of the block, else of the page.': '默认取该块的标题，否则取页面的标题。',
  'The list or report, module/file.': '列表或报表，模块/文件。',
  'Of a list: the tab whose rows stand there; default the first.': '列表：显示哪个标签的行；默认第一个。',
  'Of a list: the columns by their ids, the one that opens the record first; default the first four.':
    '列表：要显示的列 id，打开记录的列排在最前；默认前四列。',
  'Of a list: how many rows; default 5.': '列表：显示多少行；默认 5 行。',
  'Of a report: the block; default the first.': '报表：显示哪一块；默认第一块。',
  'A right that the card needs beside that of its page.': '除页面权限外，卡片还需要的权限。',
  'Quarters of the width; default 2.': '占宽度的几个四分之一；默认 2。',
  'Code of a role -> where the card stands on its home, smaller numbers first; * is everybody. Others may add it.':
    '角色代码 → 卡片在其首页的位置，数字小的在前；* 表示所有人。其他人可自行添加。',
  'What it has in the menus of other modules, e.g. its settings; without such a module it is left out.':
    '它在其他模块菜单中的内容，例如它的设置；没有那个模块时省略。',
  'Menu entries and routes in another module.': '在另一模块中的菜单项和路由。',
  'The other module.': '另一模块。',
  'Id of the entry that they stand before; default last.': '排在哪一项之前；不填排在最后。',
  'list, detail, form, report, widget, config, dashboard, embed, redirect, shell.':
    'list、detail、form、report、widget、config、dashboard、embed、redirect、shell。',
  'In the menu once its page exists.': '页面存在后显示在菜单中。',
  'Highlighted menu entry.': '高亮的菜单项。',
  'One tab a path (R041).': '同一路径只开一个标签（R041）。',
  'Default true.': '默认是。',
  'Always permitted and never in the menu (R049, R050); default true for kind detail.':
    '始终允许打开，不在菜单中（R049、R050）；详情页默认是。',
  'The tab title from the query, e.g. {{ query.name }} (R051).': '从地址参数取得的标签标题，例如 {{ query.name }}（R051）。',
  'Redirect to the path.': '跳转到该路径。',
  'Redirects to this path.': '跳转到这个路径。',
  'The key of the resource.': '资源的权限键。',
  'The route; a group has none.': '路由；分组没有。',
  'Permission keys of the buttons and calls of this entry.': '该菜单项下按钮和调用的权限键。',
  'webShowFlag; default true.': 'webShowFlag；默认是。',
  'Who reads it in clear is noted in the log of the record, once a person and day: when the record is opened, and in lists if x-list.':
    '谁看到明文会记入该记录的日志，每人每天一次：打开记录时记录；标有 x-list 的字段在列表中也记录。',
  'What expressions of the form read as $facts: the gateway is asked whenever a field changes that it depends on.':
    '表单表达式以 $facts 读取的数据：所依赖的字段变化时向网关查询。',
  'The call, which only reads.': '调用，只读取数据。',
  'Name -> fixed value.': '名称 → 固定值。',
  'What is asked for: names, and paths that start at a reference of the form: accountId.balance.':
    '要查询的内容：名称，以及从表单引用字段开始的路径，例如 accountId.balance。',
  'Fields that it depends on; the gateway is told their values.': '所依赖的字段，其值随查询发给网关。',
}

/** What a word of the language means, in the person's language. */
export const explanation = (description: string, locale: Locale): string =>
  locale === 'zh' && Object.hasOwn(CHINESE, description) ? (CHINESE[description] ?? description) : description
