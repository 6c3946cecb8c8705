/** Questions that are suggested: in Chinese, in English, the module of the pages beside which they come first, the key that they take. */
const LINES = `
我这个月的收入多少|What is my revenue this month|rpt|rpt:revenue:view
我上个月的收入是多少|What was my revenue last month|rpt|rpt:revenue:view
近30天收入趋势|Revenue trend in the last 30 days|rpt|rpt:revenue:view
本月收入和上个月相比|Revenue this month compared to last month|rpt|rpt:revenue:view
上个月收入最高的五个客户|Top 5 customers by revenue last month|rpt|rpt:revenue:view
上个月按产品的收入|Revenue by product last month|rpt|rpt:revenue:view
上个月按国家的收入|Revenue by country last month|rpt|rpt:revenue:view
上个月谁的收入最高|Who made the most revenue last month|rpt|rpt:revenue:view
上个月利润最高的五个客户|Top 5 customers by profit last month|rpt|rpt:cost:view
上季度的利润和前一季度相比|Profit last quarter vs the one before|rpt|rpt:cost:view
上个月的毛利率|Gross margin last month|rpt|rpt:cost:view
上个月按产品的毛利率|Gross margin by product last month|rpt|rpt:cost:view
上个月成本最高的供应商|Which supplier had the highest cost last month|rpt|qm:cost:view
近7天的发送量|Messages sent in the last 7 days|rpt|rpt:fact:view
昨天发了多少短信|How many SMS messages were sent yesterday|rpt|rpt:fact:view
近30天每天的发送量|Daily messages sent in the last 30 days|rpt|rpt:fact:view
近30天哪个国家发送量最多|Which country had the most traffic in the last 30 days|rpt|rpt:fact:view
上个月发送量最高的五个客户|Top 5 customers by traffic last month|rpt|rpt:fact:view
近7天短信的送达率|SMS delivery rate in the last 7 days|rpt|rpt:fact:view
近7天按国家的送达率|Delivery rate by country in the last 7 days|rpt|rpt:fact:view
昨天的失败量|Failed messages yesterday|rpt|rpt:fact:view
本周语音业务量|Voice traffic this week|rpt|rpt:fact:view
我有多少个客户|How many customers do I have|crm|crm:client-partner:my-client
有多少成交客户|How many dealt customers are there|crm|crm:client-partner:my-client
沉默客户有多少|How many silent customers are there|crm|crm:client-partner:my-client
A类客户有哪些|Which class A customers are there|crm|crm:client-partner:my-client
本月新增了多少个客户|How many customers are new this month|crm|crm:client-partner:my-client
客户按等级分布|Customers by level|crm|crm:client-partner:my-client
客户按阶段分布|Customers by stage|crm|crm:client-partner:my-client
客户按国家分布|Customers by country|crm|crm:client-partner:my-client
谁的客户最多|Who has the most customers|crm|crm:customer:viewDepartment
公海里有多少客户|How many customers are in the open sea|crm|crm:client-partner:open-sea
我有几个商机|How many opportunities do I have|crm|crm:opportunities
商机按阶段统计|Opportunities by stage|crm|crm:opportunities
金额最高的五个商机|Top 5 opportunities by amount|crm|crm:opportunities
上个月赢单多少个商机|How many opportunities were won last month|crm|crm:opportunities
本季度输单多少个商机|How many opportunities were lost this quarter|crm|crm:opportunities
我有几条线索|How many leads do I have|crm|crm:leads
上个月有多少条线索|How many leads came in last month|csc|csc:clue:assign
线索按来源统计|Leads by source|csc|csc:clue:assign
本周有哪些拜访|Which visits are there this week|crm|crm:visiting-records
为什么客户被回收|Why was my customer recycled|crm|crm:client-partner:my-client
怎么避免客户被回收|How do I keep a customer from recycling|crm|crm:client-partner:my-client
怎么从公海领取客户|How do I claim a customer from the open sea|crm|crm:client-partner:open-sea
怎么转移客户|How do I transfer a customer|crm|crm:client-partner:my-client
怎么共享客户|How do I share a customer|crm|crm:client-partner:my-client
怎么释放客户|How do I release a customer|crm|crm:client-partner:my-client
怎么新建客户|How do I create a customer|crm|crm:client-partner:my-client
新建客户提示重复怎么办|What do I do when a new customer is a duplicate|crm|crm:client-partner:my-client
什么是有效跟进|What counts as an effective follow-up|crm|crm:client-partner:my-client
客户等级怎么计算|How is the level of a customer worked out|crm|crm:client-partner:my-client
如何申请A类客户|How do I apply for class A|crm|crm:client-partner:my-client
怎么变更客户别名|How do I change an alias|crm|crm:client-partner:my-client
怎么把客户加入黑名单|How do I blacklist a customer|crm|crm:client-partner:blacklist
怎么合并重复客户|How do I merge duplicate customers|crm|crm:client-partner:my-client
怎么新建商机|How do I create an opportunity|crm|crm:opportunities
商机多久算停滞|When is an opportunity stale|crm|crm:opportunities
怎么安排拜访|How do I plan a visit|crm|crm:visiting-records
线索怎么转为客户|How do I convert a lead|crm|crm:leads
怎么发营销邮件|How do I send a marketing campaign|crm|crm:sendList
有哪些账单逾期超过30天|Which bills are overdue for more than 30 days|fin|financial:account:consumer:bill
逾期账单有几张|How many bills are overdue|fin|financial:account:consumer:bill
逾期金额多少|How much is overdue|fin|financial:account:consumer:bill
未结清的账单有多少张|How many unpaid bills are there|fin|financial:account:consumer:bill
哪个客户欠款最多|Which customer owes the most|fin|financial:account:consumer:bill
上个月出了多少张账单|How many bills were issued last month|fin|financial:account:consumer:bill
上个月账单金额合计|Billed amount last month|fin|financial:account:consumer:bill
有多少个停用的账户|How many accounts are stopped|fin|financial:account:consumer:consumer
客户账户按产品统计|Customer accounts by product|fin|financial:account:consumer:consumer
有哪些待认领来款|Which unclaimed receipts are there|fin|financial:recharge-apply:unclaimed
有哪些合同60天内到期|Which contracts end within 60 days|fin|financial:account:consumer:contract
上个月有多少笔付款|How many payments were there last month|fin|financial:recharge-apply:payments
账单包含哪些费用|What does a bill contain|fin|financial:account:consumer:bill
怎么停用客户账户|How do I stop an account|fin|financial:credit-customer:credit-control
怎么加入授信白名单|How do I whitelist an account|fin|financial:credit-customer:credit-control
怎么申请后付费授信|How do I apply for post-paid credit|wf|general:process:sponsor
怎么申请预付费授信|How do I apply for prepaid credit|wf|general:process:sponsor
怎么申请充值|How do I apply for a recharge|wf|general:process:sponsor
怎么申请付款|How do I apply for a payment|wf|general:process:sponsor
怎么申请回款延期|How do I apply for a payment extension|wf|general:process:sponsor
怎么申请特殊销售价|How do I apply for a special selling price|wf|general:process:sponsor
怎么申请账期变更|How do I change a billing cycle|wf|general:process:sponsor
我有几个审批|How many approvals are waiting for me|wf|general:process:my-agent
有哪些审批已超时|Which approvals are overdue|wf|general:process:my-agent
怎么驳回审批|How do I reject an application|wf|general:process:my-agent
怎么转交审批|How do I hand an approval to somebody|wf|general:process:my-agent
怎么撤回审批决定|How do I take a decision back|wf|general:process:my-agent
怎么催办申请|How do I urge an application|wf|general:process:my-initiate
怎么设置审批委托|How do I set a delegation|wf|general:process:sponsor
申请通过了但没有生效怎么办|What if an application had no effect|wf|general:process:my-initiate
怎么提交工单|How do I submit a work order|ops|general:process:sponsor
印度短信最便宜的供应商|Cheapest SMS supplier for India|srm|qm:cost:view
巴西短信最便宜的供应商|Cheapest SMS supplier for Brazil|srm|qm:cost:view
有多少家供应商|How many suppliers are there|srm|srm:supplierManagement
合作中的供应商有几家|How many active suppliers are there|srm|srm:supplierManagement
供应商按等级分布|Suppliers by level|srm|srm:supplierManagement
有哪些采购订单待收货|Which purchase orders are awaiting goods|srm|srm:purchase:view
有哪些供应商合同将到期|Which suppliers' contracts end soon|srm|srm:supplierManagement
现在有多少条告警|How many alarms are there|ew|heavenlyWarning:alarmdata
告警按级别统计|Alarms by severity|ew|heavenlyWarning:alarmdata
今天有哪些告警|Which alarms are there today|ew|heavenlyWarning:alarmdata
有哪些通道|Which channels are there|biz|businessInquiry:channel:info
号码资源按国家统计|Numbers by country|biz|businessInquiry:numbers
库存号码有多少|How many numbers are in stock|biz|businessInquiry:numbers
在哪里查MCC MNC|Where can I look up MCC and MNC|toolbox|toolbox:mcc-mnc
在哪里查汇率|Where can I look up an exchange rate|toolbox|toolbox:exchange-rate
在哪里查号码归属|Where can I look up a number|toolbox|toolbox:number-lookup
怎么绑定邮箱|How do I bind a mailbox|mail|
怎么设置自动回复|How do I set an away message|mail|
怎么撤回已发送的邮件|How do I take a mail back|mail|
怎么定时发送邮件|How do I send a mail later|mail|
共享邮箱怎么用|How does a shared mailbox work|mail|
我有多少未读消息|How many unread messages do I have||
怎么导入数据|How do I import from Excel||
怎么导出列表|How do I export a list||
怎么保存视图|How do I save a view||
怎么全局搜索|How do I search everything||
怎么提反馈|How do I give feedback|csc|csc:feedbackmanagement:feedback
怎么修改密码|How do I change my password||
怎么切换语言|How do I switch the language||
`

export interface CommonQuestion {
  zh: string
  en: string
  module: string
  permission: string
}

/** What every installation suggests at first. */
export const COMMON_QUESTIONS: readonly CommonQuestion[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const [zh = '', en = '', module = '', permission = ''] = line.split('|')
    return { zh, en, module, permission }
  })
