/** The Chinese explanations of what an entity does: its rules, effects, deadlines, lines and sums. */
export const RULES_IN_CHINESE: Readonly<Record<string, string>> = {
  'An entry of x-participants: only the rows in which the caller takes part by it.':
    'x-participants 的一项：只有调用者以此身份参与的行。',
  'How several values become one.': '多个值如何合为一个。',
  'The value that comes last in this order.': '按此顺序最靠后的值。',
  'The value that comes first in this order.': '按此顺序最靠前的值。',
  'What can be done with a record beside its transitions, and what all pages say of these: a page names it by its id alone. Expressions speak of record.':
    '流转之外可对记录进行的操作，以及所有页面上对流转的共同规定；页面只写其 ID。表达式用 record 指记录。',
  'What is said to people, written once: the effect notify names it.': '发给人员的话，只写一次；效果 notify 引用它。',
  'module.thing, unique; notify names it.': '形如 module.thing，唯一；notify 以此引用。',
  'The entity whose effects name it: a bare name in its expressions is a field of that record.':
    '其效果引用此模板的实体；表达式中的单独名称是该记录的字段。',
  'Code of the dictionary msgType: approval, mail, money, alarm, customer, notice or system; default system.':
    '字典 msgType 的代码：审批、邮件、资金、告警、客户、公告或系统；默认系统。',
  'Address of the page of the record, with expressions.': '记录页面的地址，可含表达式。',
  'Of a to-do, an expression: when it should be done; default now.': '待办的应办时间（表达式）；默认现在。',
  'Of a to-do. withState: it is over when the record leaves its state; default byPerson.':
    '待办如何结束。withState：记录离开当前状态时结束；默认 byPerson。',
  'A value.': '一个值。',
  'A field.': '字段。',
  'Several records of it can be made one; what names those that go follows.':
    '可把多条记录合为一条；引用被并入记录的内容随之改指。',
  'Reference of a record that went to the one that stays.': '被并入的记录指向保留记录的引用字段。',
  'Fields to choose from besides those that can be edited.': '除可编辑字段外还可选择的字段。',
  'Fields that keep the value of the record that stays.': '保持保留记录的值的字段。',
  'Lists whose entries can be kept together.': '可保留全部条目的列表字段。',
  'Field -> how the values of all records become one.': '字段 → 各记录的值如何合为一个。',
  'Why not: over the record that stays, and other, one that goes.':
    '不能合并的情形：可读取保留的记录，以及 other（被并入的一条）。',
  'What happens when the record that it names is merged into another: it follows; stay keeps it; join says how doubles become one.':
    '所引用的记录并入另一条时：随之改指；stay 保持不变；join 说明相同的两行如何合为一行。',
  'Field -> how the values of two rows that are the same become one.': '字段 → 相同两行的值如何合为一个。',
  'What the feature ownership says of the entity to the gateway; nobody writes it.': '功能“归属”为网关写明的内容，无需手写。',
  'Refused if true.': '为真时拒绝。',
  'How it is recognised that a record is there already; checked at every save and import.':
    '如何认出记录已经存在；每次保存和导入时检查。',
  'Field of the name, compared in any script and spelling.': '名称字段；不论文字和写法都能比较。',
  'Field of the code that a record is told by.': '编码字段，用来指称记录。',
  'Field of the country.': '国家字段。',
  'Field of a number that only one has.': '只属于一方的号码字段。',
  'Fields of registration or tax numbers.': '注册号、税号字段。',
  'Field of the website, for its domain.': '官网字段，取其域名。',
  'Its people, rows of another entity: their mail addresses and telephone numbers.': '其人员，即另一实体的记录：比较邮箱和电话。',
  'entity.field: the reference of the rows.': '实体.字段：这些记录的引用字段。',
  'Field of the mail address.': '邮箱字段。',
  'Field of a telephone number.': '电话字段。',
  'Fields of telephone numbers.': '电话字段。',
  'Input under which a save carries a first person.': '保存时带上首位人员的参数名。',
  "Input of a person's save: why it is another one all the same.": '保存人员时的参数：为何仍是另一位。',
  'Rule set with domainDecision, minSimilarity and countryGroups.': '规则集，含 domainDecision、minSimilarity、countryGroups。',
  'Rule set with domains that prove nothing.': '规则集，含不能说明身份的域名。',
  'Field that says why it is another one all the same.': '说明为何不是重复的字段。',
  'Reference that keeps what it resembles.': '保存疑似相同记录的引用字段。',
  'Field of the record that is there.': '已有记录的字段。',
  'What anybody may learn of the record that is there, besides name and code.':
    '除名称和编码外，任何人可以得知的已有记录的内容。',
  'Where the owner opens the record that is there.': '负责人在何处打开已有记录。',
  'What can be done instead; the first that holds is told.': '可以改为怎样做；告知第一条成立的。',
  'Over the record that is there.': '针对已有记录的条件。',
  'Call that asks for a decision on a refused record.': '对被拦截记录提出申诉的接口。',
  'Entity that keeps what was checked.': '保存查重记录的实体。',
  'State -> effects of every transition that leads into it.': '状态 → 每个进入该状态的流转所执行的效果。',
  'A condition on a field (field, operator, value), or a group: or, and.':
    '对字段的一个条件（字段、比较方式、值），或一组条件：or、and。',
  'Field of the entity, or a path through references, e.g. customerId.level.':
    '实体的字段，或经引用到达的字段，例如 customerId.level。',
  'Instead of a field: conditions of which at least one holds. Up to four groups stand inside one another.':
    '代替字段：满足其中至少一个条件；最多嵌套四层。',
  'Instead of a field: conditions that all hold.': '代替字段：须全部满足的条件。',
  'How a value stands in exported files, where its kind would write something else: a text with expressions over value.':
    '导出文件中的写法，用于与该类型通常写法不同的值：含有以 value 为值的表达式的文字。',
  'Effects of every transition that changes the state.': '每个改变状态的流转所执行的效果。',
  'The state that it leads back to, worked out of the record; to where it gives none.':
    '由记录算出、要回到的状态；算不出时为 to。',
  'What the person who names a record has to be allowed to do with it: see it (read), or act on it (edit).':
    '选用某条记录的人对它须有的权限：可见（read）或可操作（edit）。',
  'Conditions that all hold, and groups of them. A value may be an expression.': '须全部满足的条件及条件组；值可为表达式。',
  'What deleting a record does besides.': '删除记录时还要执行的效果。',
  'Kinds of the to-dos that are over; all without it.': '要办结的待办种类；不写则为全部。',
  'Field -> value or expression.': '字段 → 值或表达式。',
  'Id of the transition.': '流转的标识。',
  'State field, where two machines have the same id.': '状态字段；两个状态机有同名流转时填写。',
  'Its fields and inputs: name -> value or expression.': '流转的字段和参数：名称 → 值或表达式。',
  'People, as in by.': '人员，写法与“谁可以”相同。',
  'What it says, with expressions.': '内容；可含表达式。',
  'Code of the dictionary todoKind; default notice.': '字典 todoKind 中的编码；默认 notice。',
  'Address of the page of the record.': '记录页面的地址。',
  'Address of the list where many of them stand: of more than twenty at once there is one message, which leads there.':
    '列表的地址：一次超过二十条时只有一条消息，链接到该列表。',
  'Name of a template that says the rest (schemas/<module>/templates); what stands beside it wins.':
    '模板的名称，其余内容由模板给出（schemas/<module>/templates）；此处另写的优先。',
  'Code of the dictionary msgType; default 7 (system).': '字典 msgType 中的编码；默认 7（系统）。',
  'False: nothing is to be done, so that there is a message and no to-do. Default true.':
    'false：无事要做，只有消息而没有待办。默认 true。',
  'More of it, with expressions.': '更多内容；可含表达式。',
  'Expression: when it should be done; default now.': '表达式：应在何时完成；默认现在。',
  'withState: it is over when the record leaves its state; default byPerson.':
    'withState：记录离开当前状态时自动关闭；默认 byPerson。',
  'People whose to-dos these are; default everybody.': '哪些人的待办；默认所有人。',
  'Codes of the dictionary todoKind; default all.': '待办类型的代码；默认全部。',
  'done: somebody did it; dropped: the matter is gone.': 'done：已有人办；dropped：事项不再存在。',
  'To-dos one by one, however many there are; otherwise more than twenty equal ones are one.':
    '待办逐条给出，不论多少；否则超过二十条相同的合为一条。',
  'An open one of the same kind about the record gives way to it.': '同一记录、同一类型的未办事项由它取代。',
  'What is said once only: the same text is not told again; default every time.':
    '只通知一次：相同的文字不再通知；默认每次都通知。',
  'Rows are lines of the parent: saved with it in their order (position), told in its history.':
    '各行是上级记录的明细：按顺序（position）随上级保存，记入上级的日志。',
  'A length of time, ISO 8601: PT72H, P3D, P18M; or with an expression over look-ups of rules: P{{ rule.days }}D.':
    'ISO 8601 时长：PT72H、P3D、P18M；也可含规则查询的表达式：P{{ rule.days }}D。',
  'Only among records that meet these; fixed values with eq, ne, in, notIn, empty, notEmpty.':
    '只在满足条件的记录之间检查；固定值，比较方式限 eq、ne、in、notIn、empty、notEmpty。',
  'States in which it counts; default those that the transition leaves.': '在哪些状态下有效；默认为流转离开的状态。',
  'What rules, limits and effects read by name.': '规则、上限和效果按名称读取的内容。',
  'How many records there may be.': '最多可以有多少条记录。',
  'Moments at which the portal acts by itself.': '系统自动执行的时刻。',
  'Which fields stand together on its default detail and form.': '默认详情和表单上放在一起的字段。',
  'What its fields are for whoever reads a row: the default columns of lists in this order, then the other fields with x-list.':
    '阅读一行时各字段的作用：列表默认列按此顺序，之后是其余带 x-list 的字段。',
  'What the record is and is called.': '记录是什么、叫什么。',
  'Whom it concerns.': '涉及谁。',
  'How much.': '多少。',
  'How it stands.': '状态如何。',
  'When.': '何时。',
  'What a list keeps folded away: columns that are off until somebody turns them on.': '列表收起的内容：有人打开之前不显示的列。',
  'It has a default list, detail and form without a page file.': '没有页面文件也有默认的列表、详情和表单。',
  'The route of the list; the detail stands below it.': '列表的路由；详情在其下。',
  "The group of the module's menu that gets an entry; without it there is none.": '在模块菜单的哪个分组加一项；不填则不加。',
  'What it does not say is that of the default page of its entity, and what it says lies over it by id; default: true for a page without its main part.':
    '未写明的部分取实体的默认页面，写明的按标识叠加其上；没有主体部分的页面默认为 true。',
  'Examples of what it does; run by the tests of the product and before every release that changes it.':
    '说明其行为的示例；产品测试和每次改动它的发布之前都会运行。',
  'At this moment, with these records: what is done, and what is then.': '在此时刻、有这些记录：做什么，结果如何。',
  'What it shows.': '说明什么。',
  'The moment at which it begins.': '开始的时刻。',
  'Rule set -> parameters that differ from its defaults; what people have set does not count.':
    '规则集 → 与默认值不同的参数；人员设置的值不计。',
  'The records that are there, by name; the name is their id, too.': '已有的记录，按名称；名称也是其标识。',
  'Default: this one.': '默认：本实体。',
  'Its fields over the defaults.': '默认值之外的字段值。',
  'What is done, one after the other.': '依次做什么。',
  'A save, a transition, or time that passes.': '一次保存、一个流转，或时间经过。',
  'Time passes until then: deadlines act.': '时间推进到此时：期限会执行。',
  'Who does it, one of the given members of staff; without it the system.': '由谁执行：已有记录中的一位员工；不填则为系统。',
  'Permission keys besides those that it takes to see, save and do it.': '查看、保存、执行所需之外的权限键。',
  'The record that it is done to; a save of an unknown name makes it. Default: record.':
    '作用于哪条记录；保存一个未知的名称即新建。默认：record。',
  'Instead of a name: the one record of the entity with these values.': '代替名称：实体中具有这些值的唯一一条记录。',
  'Saves these values.': '保存这些值。',
  'Takes this transition.': '执行此流转。',
  'Fields and inputs of the transition.': '流转的字段和参数。',
  'It is refused, by the rule, limit or refusal of this id.': '被拒绝：由此标识的规则、上限或拒绝条件。',
  'What is then.': '结果如何。',
  'The values of a record, or records that are there.': '一条记录的值，或存在的记录。',
  'A record by its name; default: record.': '按名称指定的记录；默认：record。',
  'What it holds.': '其字段值。',
  'Instead of one record: records of this entity.': '代替一条记录：此实体的记录。',
  'Those with these values.': '具有这些值的。',
  'How many there are; default 1.': '有几条；默认 1。',
  'Who may change it and when; one that holds is enough. Without the word the permission decides.':
    '谁在什么时候可以修改，满足一条即可；不填则由权限决定。',
  'Who may delete it and when; one that holds is enough.': '谁在什么时候可以删除，满足一条即可。',
  'Who sees a record or acts on it because it names them.': '因记录写有其名而可以查看或处理该记录的人。',
  'What it forbids to others while it runs.': '进行期间禁止对其他记录做什么。',
  'Features that it takes part in.': '参与的功能。',
  'What happens when the record that it names is deleted: restrict refuses and names the referrers, clear empties it, cascade deletes this record too.':
    '所引用的记录被删除时：restrict 拒绝删除并列出引用它的记录，clear 清空本字段，cascade 连同本记录一起删除。',
  'A number that the server gives.': '由服务端生成的编号。',
  'Its pattern, e.g. CU{yy}{n:5}: one counter, parts of the day {yyyy}, {yy}, {mm}, {dd}. What stands before the counter has a counter of its own.':
    '编号格式，例如 CU{yy}{n:5}：一个流水号，日期部分 {yyyy}、{yy}、{mm}、{dd}。流水号之前的每种文字各自计数。',
  'A series by scope.': '按范围分别编号。',
  'E.g. INV{yyyy}-{n:6}.': '例如 INV{yyyy}-{n:6}。',
  'year, month, or a field of the record: each of its values has its own series.':
    'year、month，或记录的一个字段：每个取值单独编号。',
  'No number is left out: it is given inside the transaction, when everything is checked, and goes back with it.':
    '不跳号：检查都通过后在事务内取号，写入失败则一并退回。',
  'Id of the transition with which it is given; default when the record is created.':
    '在哪个流转时生成（流转的标识）；默认新建时生成。',
  'Only these people; the permission must hold too.': '只有这些人可以执行，同时须有权限。',
  'None of these people.': '这些人不能执行。',
  'Why it is not possible.': '不能执行的原因。',
  'Taken by itself after a write once this is true.': '写入后一旦为真，自动执行。',
  'Conditions that all hold. A value may be an expression.': '须全部满足的条件；值可以是表达式。',
  'People: whoever is one of them.': '人员：符合其中一项即可。',
  'Who made the record, who owns it, the caller, or the portal itself.': '记录的创建人、负责人、当前用户，或系统自身。',
  'Whom a field names: a person, people, or a department.': '字段所指的人：一人、多人或一个部门。',
  'A reference field of the record.': '记录的引用字段。',
  'Whom a field behind references names.': '经引用到达的字段所指的人。',
  'References and a field, e.g. customerId.ownerId.': '引用加字段，例如 customerId.ownerId。',
  "The leader of somebody's department.": '某人所在部门的领导。',
  'creator, owner, user, or a reference field or path to a member of staff.':
    'creator、owner、user，或指向员工的引用字段或路径。',
  'How many levels of leaders count; default 1.': '向上几级领导；默认 1。',
  'Whoever holds a role.': '拥有某个权限组的人。',
  'Code of the role.': '权限组编码。',
  'Why something is not possible: the first that holds is told.': '不能执行的原因：告知第一个成立的原因。',
  'It is refused if true. A refusal that reads input is decided when the input is there.':
    '为真时拒绝。用到 input 的条件在填写之后判断。',
  'The reason, for the person who reads it; it may hold expressions.': '给使用者看的原因；可含表达式。',
  'Code of the answer where the specification names one; default: transition refused.': '规格指定的返回码；默认：流转被拒绝。',
  'What it counts for, e.g. {{ ownerId }}: it is asked again when everything is written, with this key held, so that it binds parallel writers and the records of one call. It reads adding: 1 before, 0 then.':
    '按什么计数，例如 {{ ownerId }}：全部写入后锁定此键再判断一次，因此对同时写入的人和同一次操作的多条记录都有效。可用 adding：写入前为 1，写入后为 0。',
  'Records of another entity.': '另一实体的记录。',
  'A reference field of the record, or a path of references: the records that it names.':
    '记录的引用字段或引用路径：它所指的记录。',
  'Name of the entity whose records are meant; with where.': '所指记录的实体名称，与条件一起使用。',
  'Which of them; values may read the record, e.g. {{ id }}.': '其中哪些记录；值可用本记录的数据，例如 {{ id }}。',
  'What a transition does besides changing the state. Its verb is registered once, with a schema for what stands in with.':
    '流转除改变状态外所做的事；动作统一登记，并规定各自的内容。',
  'The verb: set, create, transition, notify, close, log, or one of a module.':
    '动作：set、create、transition、notify、close、log，或模块自己的动作。',
  'What the verb takes; values may be expressions over the record, before, input, user, now, today and earlier results.':
    '动作的内容；值可以是表达式，可用本记录、before、input、user、now、today 和前面效果的结果。',
  'Done only if true.': '为真时才执行。',
  'Records that it is done to instead of the record itself.': '不作用于本记录，而作用于这些记录。',
  'Done once for each of these, which it reads as row: an expression that gives a list, or records.':
    '对其中每一个执行一次，用 row 读取：返回列表的表达式，或一些记录。',
  'Name under which later effects read the result.': '后面的效果用这个名称读取结果。',
  'What happens to records that refuse it: skip leaves them, a transition takes them another way; without it everything is refused.':
    '记录拒绝执行时：skip 跳过该记录，或改走另一个流转；不填则整体拒绝。',
  'The transition that such a record takes instead; its values may read refusal.':
    '这样的记录改走的流转；值可用 refusal（拒绝原因）。',
  'No overlay may change it or take it out.': '不能通过页面修改来更改或去掉。',
  'Done in this order.': '按此顺序执行。',
  'Something that rules and effects read by name; loaded for all records of a write at once.':
    '规则和效果按名称读取的内容；一次写入的所有记录一起加载。',
  'The parameters of a rule set as they hold now for somebody, or figures that a module keeps of him.':
    '规则参数对某人当前有效的值，或模块为此人统计的数字。',
  'Key of the rule set.': '规则集的键。',
  'Reference field or path to the member of staff whose exceptions hold; creator, owner, user and input.name too.':
    '指向员工的引用字段或路径，按此人的例外取值；也可用 creator、owner、user 和 input.参数名。',
  'What else exceptions may hold for, e.g. level and country: name -> field of the record.':
    '例外还可针对什么，例如等级和国家：名称 -> 记录的字段。',
  'The first record that meets the conditions, or null.': '满足条件的第一条记录；没有则为空。',
  'Name of the entity.': '实体名称。',
  'How many records meet the conditions.': '满足条件的记录数。',
  'The sum of a field over the records that meet the conditions.': '满足条件的记录中某字段的合计。',
  'What a function of a module answers for the record; it is asked once for all records of a write.':
    '模块的函数对本记录的答案；一次写入的所有记录一起询问。',
  'Name of the function: module.name.': '函数名称：模块.名称。',
  'What the function is told of the record; values may be expressions.': '告诉函数的内容，值可以是表达式。',
  'Asked of another system, after the commit: the verb is one of the outside, a row of the outbox says how it goes.':
    '提交之后请求其他系统：动作是对外的动作，外部请求表里的一行说明进展。',
  'Waits before further attempts, in their order; without them there is one attempt. An expression gives minutes, e.g. {{ rules.retryMinutes }}.':
    '各次重试前等待多久，按顺序；不填只尝试一次。表达式给出分钟数，例如 {{ rules.retryMinutes }}。',
  'Attempts at most: the last wait is repeated where there are fewer waits. Default: one more than there are waits.':
    '最多尝试几次：间隔不够时重复最后一个。不填为间隔数加一。',
  'How long one attempt may take; default a minute.': '一次尝试最长多久；不填为一分钟。',
  'Requests of one key are made one after the other: what waits for another attempt, or failed, holds back those behind it.':
    '键相同的请求逐个进行：等待重试或失败的请求会挡住后面的。',
  'The key, e.g. {{ orderId }}.': '键，例如 {{ orderId }}。',
  'A number: the lowest is made first.': '数字：小的先进行。',
  'Transition that the record takes when it is done; what the verb answers are its values.':
    '成功后记录执行的流转；动作的回答作为其参数。',
  'Transition that the record takes when the last attempt failed.': '最后一次尝试失败后记录执行的流转。',
  'Transition that the record takes when an attempt failed and another one follows. Like failed it is given attempts, lastError and nextAttemptAt, as far as its fields name them.':
    '一次尝试失败且还会再试时记录执行的流转。与 failed 一样，其字段中写明的 attempts、lastError、nextAttemptAt 会被赋值。',
  "Address of the record's page, for administrators who look at a failure.": '记录页面的地址，供管理员查看失败时打开。',
  'When all records refuse it, everything is refused with the reason of the first.':
    '所有记录都拒绝时，整个操作以第一条的原因拒绝。',
  'The field: module.thing.field.': '字段：模块.对象.字段。',
  'At most so many records for a key; counted with the key locked, so that it holds against every writer.':
    '同一键值最多多少条记录；计数时锁定键值，对任何写入都有效。',
  'Fields that make the key.': '组成键的字段。',
  'Which records count.': '哪些记录计入。',
  'A number, or an expression over the record and its lookups.': '一个数，或基于本记录及其查询的表达式。',
  'Told when it is passed; it may read most.': '超出时的提示；可用 most（上限）。',
  'Code of the answer where the specification names one.': '规格指定的返回码。',
  'Field values that no two live records share.': '两条有效记录不能相同的字段值。',
  'Told instead of the usual sentence.': '代替通常的提示。',
  'A moment of the record at which the portal acts by itself: it takes a transition, is deleted, or only reminds.':
    '系统自动处理记录的时刻：执行流转、删除，或只提醒。',
  'What it is, for the report of the job.': '在任务报告中的名称。',
  'The stored date or moment.': '保存的日期或时间字段。',
  'Added to it.': '在此基础上加上的时长。',
  'The state field that in speaks of; default the first machine.': '上述状态所属的状态字段；默认第一个状态机。',
  'Only records that meet these.': '只限满足条件的记录。',
  'Of a date: the time of that day at which it is due; without it when the day has ended.':
    '日期字段：当天到期的时刻；不填则当天结束后到期。',
  'At most so many records a night; the earliest first.': '每晚最多处理多少条，最早的优先。',
  'The transition that the record takes.': '记录执行的流转。',
  'Inputs of the transition; values may be expressions.': '流转的参数；值可以是表达式。',
  'The record is deleted for good: retention.': '到期后彻底删除记录（保留期限）。',
  'Reminders, each once for a moment.': '提醒，每个时刻各提醒一次。',
  'Something done before it.': '到期前要做的事。',
  'How long before.': '提前多久。',
  'Who may, in which state, how long, which fields.': '谁、在哪些状态、多长时间内、可以改哪些字段。',
  'States.': '状态。',
  'As long as true.': '为真期间有效。',
  'Only these fields; default all.': '只限这些字段；默认全部。',
  'Told to whom it refuses, instead of the usual sentence.': '被拒绝的人看到的提示，代替通常的提示。',
  'Kept over the records that refer to this one: one of count, sum, min, max, last.':
    '按引用本记录的记录汇总：计数、合计、最小、最大、最近值，取其一。',
  'Their reference to this record: module.thing.field.': '它们引用本记录的字段：模块.对象.字段。',
  'How many.': '有多少条。',
  'Field that is added up.': '求合计的字段。',
  'Field whose smallest value is kept.': '取最小值的字段。',
  'Field whose greatest value is kept.': '取最大值的字段。',
  'Field whose value in the latest record is kept.': '取最近一条记录的值的字段。',
  'For last: the field that orders the records; default createdAt.': '取最近值时的排序字段；默认 createdAt。',
  'Only records that meet these; fixed values.': '只限满足条件的记录；固定值。',
  'A sum that many writers change at once: it stands on a row of its own and is added to last in each transaction.':
    '许多人同时改变的合计：单独存一行，在每个事务最后累加。',
  'Of a hot sum: the bound below which a write is refused.': '高频合计的下限，低于它的写入会被拒绝。',
  'A value that follows other fields, also across references; stored unless it reads now, today or user.':
    '随其他字段（包括经引用的字段）变化的值；保存在记录上，除非用到 now、today 或 user。',
  'Of a date that a function says: it is worked out anew right before, and a record that is not due any more is kept.':
    '日期由函数得出时：执行前重新计算，已不到期的记录保留。',
  'The field that says why, for the report of the job.': '说明原因的字段，用于任务报告。',
  'How long before; an expression may give several days, e.g. {{ rule.remindDays }}.':
    '提前多久；表达式可给出多个天数，如 {{ rule.remindDays }}。',
  'Instead of an expression: a function of a module that works it out for many records at once.':
    '代替表达式：由模块的函数一次为多条记录算出。',
  'Fields of the record that the function reads: the value follows them.': '函数读取的本记录字段：值随之变化。',
  'A rule set that the function reads: with a new version of it all values are renewed.':
    '函数读取的规则集：有新版本时全部重算。',
  'P1D: renewed every night, where the answer depends on the day or on other records.':
    'P1D：每晚重算，用于结果取决于日期或其他记录的情况。',
  'States in which it follows; in the others it stays as it is.': '在哪些状态下随之变化；其他状态下保持不变。',
  'Records that are saved with this one.': '与本记录一起保存的明细记录。',
  'Name of the entity of the lines.': '明细的实体名称。',
  'Their reference to this record.': '明细引用本记录的字段。',
  'together: in one transaction with the head, all of them; inParts: large sheets, checked and counted at the end.':
    'together：与表头在同一事务中全部保存；inParts：大量明细分批保存，最后检查并计数。',
  'Records at volume: kept in a table a day, read within a window of days, dropped by whole days.':
    '大量记录：每天一张表，按天数范围读取，按整天删除。',
  'The required moment that decides the day (UTC).': '决定所属日期（UTC）的必填时间。',
  'Its records are charged: what they come to is posted to the ledger, or counted and named. An entity with billDay or costDay says so; false: its days only tell figures of records that are charged.':
    '记录须入账：应收应付金额记入账本，未入账的计数并列名。有 billDay 或 costDay 的实体须写明；false：其日期只是已入账记录的统计数据。',
  'Code of the dictionary product, where all its records are of one; without it the field product says it.':
    '字典 product 的值，用于所有记录同一产品时；不写则取字段 product。',
  'What the customer owes; without it the fields revenue, accountId and billDay. false: he is not charged for them.':
    '向客户收取的金额；不写则取字段 revenue、accountId、billDay。false：不向客户收费。',
  'What we owe the supplier; without it the fields costAmount, supplierAccountId and costDay. false: nobody is paid for them.':
    '应付供应商的金额；不写则取字段 costAmount、supplierAccountId、costDay。false：不付给任何人。',
  'The field of the amount; empty: there is no price yet.': '金额字段；为空表示尚无价格。',
  'The reference to the account.': '指向账户的引用字段。',
  'The field of the day that it belongs to.': '所属日期的字段。',
  'The reference to its posting, where its own job posts each record whole; without it what records come to is gathered by account, product and day.':
    '指向凭证的引用字段，用于由专门任务逐条入账的记录；不写则按账户、产品、日期汇总入账。',
  'A yes-or-no field: where it is set another record charges this side.': '布尔字段：为真时该方由其他记录入账。',
  'Days that are kept; older ones are dropped every night.': '保留天数；更早的每晚删除。',
  'Most days that one question reads; without a time of its own it reads the last ones.':
    '一次查询最多读取的天数；未给时间时读取最近的。',
  'Fields with an index of their own: asked for one of their values, a question reads all days that are kept.':
    '单独建索引的字段：按其值查询时读取全部保留的天数。',
  'Rows that hold from a day until a day, without overlap for a key.': '在起止日期之间有效的数据，同一键值不重叠。',
  'Field of the first day or moment.': '开始日期或时间的字段。',
  'Field of the last day, or the moment of the end; empty = open.': '最后一天或结束时间的字段；为空表示未定。',
  'endPrevious: a new row ends the one before it; refuse: an overlap is refused.':
    'endPrevious：新数据结束前一条；refuse：拒绝重叠。',
  'People or departments who see the record, or act on it, because it names them.':
    '因记录写有其名而可以查看或处理记录的人员或部门。',
  'read: they see it; edit: they act on it too.': 'read：可以查看；edit：也可以处理。',
  'Only while it meets these; fixed values, also of a record that it refers to: customerId.holding.':
    '只在满足条件期间；固定值，也可用于所引用的记录，如 customerId.holding。',
  'Only whoever holds this key; without people the key alone decides.': '只有持有此权限键的人；不写人员时只看权限键。',
  'Whoever takes part in another record takes part here.': '在另一条记录上的参与人，在这里也是参与人。',
  'A reference of this record: whoever owns that record, has it shared or takes part there by name; a key alone that opens that record opens nothing here.':
    '本记录的引用字段：那条记录的负责人、共享接收人和被指名的参与人；只凭权限键能看那条记录的人，在这里不因此看到什么。',
  'Records of another entity that name the same as this one; people and conditions are those of them.':
    '另一实体中与本记录指向同一对象的记录；人员和条件都取自那些记录。',
  'Name of the other entity.': '另一实体的名称。',
  'Its field.': '它的字段。',
  'The field of this record that has the same value.': '本记录中取相同值的字段。',
  'What effects of other modules may do to records of this entity.': '其他模块的效果可以对本实体的记录做什么。',
  'They may create them.': '可以新建。',
  'Fields that they may set.': '可以设置的字段。',
  'Transitions that they may take.': '可以执行的流转。',
  'What a running record forbids to what it refers to.': '进行中的记录对其所引用的记录禁止什么。',
  'States in which it runs.': '视为进行中的状态。',
  'The reference to what it holds.': '指向被限制记录的引用字段。',
  'Transitions of that record that it forbids; default all.': '禁止那条记录执行的流转；默认全部。',
  'That record cannot be deleted meanwhile either.': '期间那条记录也不能删除。',
  'What it forbids to other records that refer to that one.': '对引用那条记录的其他记录禁止什么。',
  'Its reference to that record.': '指向那条记录的引用字段。',
  'None is created.': '不能新建。',
  'Its transitions that are forbidden.': '被禁止的流转。',
  'Why; its expressions read the running record.': '原因；表达式读取进行中的记录。',
  'What the answer carries besides; expressions read the running record.': '应答另附的内容；表达式读取进行中的记录。',
  'Of a transition that is taken by itself: where it is refused, so is the write. Default: it is not taken then.':
    '用于自动流转：流转被拒绝时，整个写入也被拒绝。默认只是不执行流转。',
  'A ready feature: states, fields, pages and rules that its parameters complete.':
    '现成的功能：由参数补全的状态、字段、页面和规则。',
  'Name of the feature.': '功能名称。',
  'Its parameters.': '功能的参数。',
  'Effects of plain saves and deletions; a set of the record itself comes before its checks, the others once it is written.':
    '普通保存与删除的效果；对记录本身的 set 在校验之前，其他在写入之后。',
  'What creating a record does besides.': '新建记录时还要做什么。',
  'What changing a record does besides; when may read before.': '修改记录时还要做什么；when 可读取 before。',
  'The rule is broken if true. It may read look-ups, paths, before (null for a new record) and user; the gateway alone decides such a rule.':
    '为真时违反规则。可读取查询、引用路径、before（新建时为空）和 user；这样的规则只由网关判断。',
  'What is wrong and what to do; may hold expressions.': '哪里不对、该怎么做；可含表达式。',
  'Code of the refusal where the specification names one; without it 10010005 with the field.':
    '规格指定的拒绝代码；不写时为 10010005 并指明字段。',
  'People whose to-dos these are; everybody without it.': '这些待办的归属人；不写时为所有人。',
  'done: somebody did it; dropped: the matter is gone. Without it done.':
    'done：已有人办理；dropped：事情不再存在。不写时为 done。',
}
