/** What the documents for staff say, in Chinese, with the page that it is about. */
export interface Topic {
  document: string
  /** A piece of the paragraph that it stands for. */
  about: string
  path: string
  title: string
  text: string
  /** Further words, in both languages, that people use for it. */
  words: string
}

const LINES = `
staff|Open the portal; it leads|/home|登录与导航|打开门户会转到公司登录页再回来。顶部是模块，左侧是模块的页面；每个打开的页面是顶部下方的一个标签，可拖动排序、中键关闭。语言、主题、密码和退出在您名字的菜单里。|登录 退出 注销 改密码 修改密码 切换语言 主题 深色 标签页 sign in sign out password theme bookmark
staff|**Ctrl K**|/home|全局搜索|按 Ctrl K（Mac 为 Cmd K）或点顶部搜索框，可按名称、编码、电话后几位、邮箱、拼音或首字母搜索记录，也能搜页面和可以发起的操作；回车打开第一个。|全局搜索 查找 快捷键 search find anything shortcut
staff|The quick search looks|/crm/client-partner/my-client|列表筛选与排序|列表上方的快速搜索查名称和编码，筛选器进一步缩小范围；地址里带着整个查询，可以发给同事。点列标题排序，“列设置”可排序、固定、隐藏列。|列表 筛选 排序 列设置 隐藏列 固定列 filter sort columns
staff|**Board** shows|/crm/opportunities|看板|“看板”把记录按状态显示为卡片，拖动卡片即执行相应步骤；没有可走的步骤时卡片留在原处并说明原因。|看板 拖动卡片 board kanban
staff|**Save view**|/crm/client-partner/my-client|保存视图|“保存视图”把当前的页签、筛选、排序、列和看板方式存为一个名字，可仅自己用或与角色共享。|保存视图 保存筛选 收藏筛选 saved view
staff|Select rows to work|/crm/client-partner/my-client|批量操作与导出|勾选多行可批量操作，结果逐行说明。“导出”把符合条件的全部记录写成 Excel 或 CSV，数据多时到下载中心取。|导出 批量 下载中心 excel csv export download bulk
staff|**Reports** are exported|/reportAnalysis/userReport|报表导出与订阅|报表整份导出为工作簿，注明筛选、时区和时间；“保存的报表”可设每天、每周一或每月一日早七点自动送到下载中心。|报表 订阅 定时报表 schedule report workbook
staff|**Import**: download|/crm/client-partner/my-client|导入|先下载模板，填写后看预览（每个错误写明行和列，并可下载错误行），再确认导入。示例行会自动跳过。|导入 批量导入 导入客户 导入供应商 导入联系人 模板 批量新增 上传excel import template upload
staff|Phone numbers without|/crm/client-partner/my-client|导入电话号码|没有国家码的电话按该行的国家识别，员工按中国号码；无法识别时要写明国家码（+ 开头）。|导入电话 号码格式 国家码 phone number country code import
staff|A record begins|/crm/client-partner/my-client|记录详情|详情先显示要点和主要操作，其余操作在一个菜单里；时间线说明发生过什么，旁边一列是相关的人和记录。|详情 时间线 相关记录 timeline detail
staff|Fields with a star|/home|填写表单|带星号的字段必填；Ctrl Enter 保存。未提交的内容保存在您的电脑上，刷新或会话结束后仍在。日期可直接输入“明天”“下周一”“+10”。|表单 必填 草稿 保存 日期 快捷 form draft required date
staff|The browser's **Print**|/home|打印|用浏览器的打印即可：详情带所有分区，列表带当前页的列和行，上方有打印人和时间。|打印 print paper
staff|**Today** lists|/crm/today|今日工作|“今日工作”列出等您处理的事，最急的在前：到期的跟进、即将进入公海的客户、待办、拜访、没有下一步的商机、待接收的转移和共享。|今日 待办 今天做什么 today to-do
staff|The **bell**|/message/notification|消息通知|顶部铃铛显示未读消息数，打开消息即标为已读并跳到相关内容。消息保留 180 天；需要您处理的会成为待办。|消息 通知 铃铛 未读 bell message notification
staff|**Rating and feedback**|/csc/feedbackmanagement/feedback|评分与反馈|顶部“评价与反馈”说明哪里有问题或缺什么，可粘贴截图；两个工作日内会有答复。|反馈 建议 投诉 提意见 报错 feedback complaint suggestion bug report fault wish problem
staff|**Your first mailbox**|/message/email/set|绑定邮箱|打开邮箱，没有邮箱时分三步绑定：地址、连接方式、完成。常见服务商的设置已填好；“测试并绑定”会指出问题。密码加密保存。|绑定邮箱 邮箱设置 imap 应用密码 mailbox bind
staff|**Write** a mail|/message/email/write|写邮件|收件人可输入姓名或粘贴地址，会提示客户与供应商联系人、通讯录和同事。地址错误会标红。|写邮件 发邮件 收件人 compose write mail
staff|A **template** fills|/message/email/write|邮件模板与附件|模板会填入已知内容，缺少的会询问。附件可拖入（单个 25 MB、每封 30 MB）。|邮件模板 附件 大小 attachment template mail
staff|**Ctrl Enter** sends|/message/email/write|撤回与定时发送|发送后十秒内可“撤销”；“稍后发送”按您或收件人的时间，之前在草稿箱可改。|撤回邮件 定时发送 undo send later
staff|**Away**|/message/email/set|休假自动回复|在邮箱设置里填首日、末日和回复内容；每个发件人每次休假只收到一次。|自动回复 休假 外出 away message auto reply vacation out of office
staff|**E-mail marketing**|/crm/sendList|邮件营销|在“邮件营销”按国家、等级、行业、阶段、产品和角色选联系人或粘贴地址；界面会说明多少人收到、谁被跳过及原因。|营销邮件 群发 退订 marketing campaign unsubscribe
staff|**Start approvals**|/general/process/sponsor|发起审批|“发起审批”按分组显示您可以申请的流程，星标置顶。表单旁边显示审批路径；草稿自动保存，旧申请可以复制。|发起审批 怎么申请 提交申请 流程 apply application approval start
staff|**My to-do** lists|/general/process/my-agent|处理审批|“我的待办”列出等您审批的申请，带金额、步骤和期限。可同意、转交、加签、退回或驳回（要写原因）；十分钟内、下一步还没人看时可撤回决定。|审批 同意 驳回 退回 转交 加签 撤回 approve reject return my to-do
staff|**Initiated by me**|/general/process/my-initiate|我发起的与委托|“我发起的”显示申请走到哪一步；每四小时最多催办一次、每天三次。被退回的可修改再提交。外出时在发起页设置委托，最长 90 天。|催办 委托 代理审批 我发起的 urge delegation
staff|A work order names|/businessOperations/submitWorkOrder|工单|工单写明谁处理、什么时候前完成；被指派的人领取，等待供应商期间计时暂停。|工单 故障单 work order ticket
staff|An application whose effect|/general/process/my-initiate|申请通过但未生效|申请通过后若生效失败，会告诉您和管理员；决定有效，管理员会重试。|未生效 生效失败 effect failed retry
staff|**My customers**|/crm/client-partner/my-client|我的客户|“我的客户”列出您名下的客户，逾期未跟进的在前。三天内将回收的日期为红色：请跟进，否则当晚进入公海。页头显示持有数和上限；A 类、冻结和活跃成交客户不计。|我的客户 客户上限 持有 将回收 my customers cap
staff|**New customer** checks|/crm/client-partner/my-client/edit|新建客户与查重|新建客户会查重和查黑名单：同名、同注册号、同域名或邮箱会被拒绝，可“申诉”由部门主管决定；名称相近或电话已知时要写原因。公海里已有的请领取。|新建客户 查重 重复 申诉 create customer duplicate appeal
staff|**The level** follows|/setModule/crm/rules/level|客户等级|等级按近三个月的数据在每月一日更新：升级立即，连续两次较低才降级。主管可设 B、C、D 并写原因；A 只能申请。|客户等级 升级 降级 level grade
staff|**Details** hold|/crm/client-partner/my-client|客户详情|客户详情包含警告、数据、90 天业务量、联系人、跟进、商机、账户、月度数据、拜访、共享、别名、A 类、转移、流失、归属、公海、文件和变更日志。|客户详情 客户信息 customer details
staff|**Contacts**: one|/crm/client-partner/my-client|联系人|一位是主联系人；离职时填“离职日期”，不再被推荐但历史保留。查看明文邮箱和电话会记入客户日志。|联系人 主联系人 电话 明文 contact primary
staff|**Several at once**|/crm/client-partner/my-client|批量处理客户|勾选多个客户可转移、共享、释放、打标签、合并或导出，逐行说明结果。|批量转移 批量共享 打标签 bulk customers tag
staff|**Follow up** from|/crm/client-partner/my-client|跟进|在列表、今日工作或详情里“跟进”：方式、内容（至少十个字）、结果、下次时间。只有联系到人且不重复的跟进才算有效、能避免回收；24 小时内可改，一小时内可删。|跟进 有效跟进 写跟进 follow up effective
staff|**Visits**: plan|/crm/visiting-records|拜访|计划拜访并选联系人和同行人，开始时记时间，填结果完成后成为一次有效跟进；可改期或写原因取消，过一天未完成为逾期。|拜访 计划拜访 visit
staff|**My leads** are|/crm/leads|我的线索|分给您的线索：接收、跟进、转为客户、转交、写原因退回或标为无效；请在“响应期限”前处理。|线索 响应期限 转客户 退回 lead convert respond
staff|Customers without an owner|/crm/client-partner/open-sea|公海与领取|公海是没有归属人的客户。“可领取”说明为什么现在不能领：下一工作日十点前、冷却期、每天或每周上限、持有上限。|公海 领取 认领 为什么不能领取 冷却 open sea claim cool-down
staff|A claimed customer needs|/crm/client-partner/open-sea|领取后的要求|领取后三天内须首次跟进，并有一周保护期；最多十个客户可打“保留”标签避免回收。|保护期 首次跟进 保留标签 protected keep tag
staff|**Release** gives|/crm/client-partner/my-client|释放客户|“释放”把客户写原因退回公海；冷却期内您不能再领回。|释放 退回公海 放弃客户 release give back
staff|The **dossier** of a stay|/crm/client-partner/open-sea|为什么客户被回收|客户在规则期限内没有有效跟进或成交就会被回收到公海。公海记录的档案写明依据：最近一次有效跟进、计算出的日期、规则版本、以前的归属人和被拒的领取；主管可指派，或“更正”让客户回到原归属人。|为什么被回收 回收规则 回收原因 客户被回收 recycled recycling why
staff|**Transfer** asks|/crm/client-partner/my-client|转移客户|转移要接收人在 72 小时内逐个客户确认，未关闭的商机默认一起转；等待期间可撤回。主管指令无需确认，超过 50 个客户须经主管审批。|转移客户 交接 接收 transfer handover
staff|**Share** a customer|/crm/client-partner/my-client|共享客户|可把客户以只读或编辑方式共享给人（须接受）或部门（立即），到某日或长期；业绩仍归您。转移或进入公海时共享结束。|共享 分享客户 协作 share customer
staff|**Who leaves**|/setModule/authManage/user|离职交接|离职人员的客户由主管交接：给一位接任者、平均给多人或放入公海，可按人预览。|离职 交接 接任 leave leaver successor
staff|**New opportunity**|/crm/addBo|新建商机|从客户新建商机：产品、目的地、用量、价格、预计成交；金额和加权金额自动计算。赢单要有该产品的有效账户，输单要写原因；14 天无进展为停滞。|商机 新建商机 赢单 输单 停滞 opportunity win lose stale
staff|**Sales funnel**|/crm/data-analysis/sales-funnels|销售漏斗|漏斗按期间内的阶段变化统计，不是当前阶段；每个数字可打开背后的商机。|漏斗 转化 funnel
staff|**Account tracking**|/crm/market-analysis/account-track|账号跟踪与市场分析|账号跟踪看账户从开通到起量、增长、下降或静默；市场分析看线索和客户的来源。|账号跟踪 市场分析 来源 account tracking marketing analysis
staff|**Class A** exempts|/crm/addClassA|A类申请|A 类客户不受回收和上限限制。从客户发起申请，页面逐项显示是否达标；未达标可勾选战略例外。到期前 30 天提醒续期，被拒后 30 天可再申请。|A类 申请A类 续期 免回收 class a
staff|**Alias**: operations|/crm/operate/alias-record|别名变更|运营和供应商看到别名而不是名称。变更审批后同步到各系统，完成前转移、合并、拉黑和作废须等待。|别名 改别名 alias
staff|**Blacklist**: bar|/crm/client-partner/blacklist|客户黑名单|可拉黑客户、名称或标识，欠款和欺诈须证据；由另一人审批。客户被冻结直到解除。|黑名单 拉黑 冻结 blacklist bar
staff|**Churn**|/setModule/crm/rules/churn|客户流失|客户用量下降一半、30 天静默或 90 天无业务时，七天内请填写原因，主管会收到通知。|流失 静默 churn silent
staff|**Duplicates** are merged|/crm/merge-customers|合并客户|重复客户并排合并，逐字段选择，或写原因声明“不是重复”。|合并 重复客户 merge duplicates
staff|**Business partners**|/crm/client-partner/business-partner|商业伙伴|商业伙伴带来客户：类型、等级、佣金、协议、邀请链接；每月佣金单在其页面。|商业伙伴 佣金 代理商 partner commission
staff|**Buka**: open|/crm/addCustomerBuka|Buka开户|从“我的客户”为客户开通 Buka 账号；准入规则会立即说明不满足的条件，或请总监审批。|buka 开户 准入
staff|**Inbox, Starred**|/message/email/inbox|收件箱|收件箱、星标、垃圾、已发送、草稿显示您所有邮箱；左栏可只看一个，数字为未读数。|收件箱 看邮件 inbox read mail
staff|**Search** looks at|/message/email/inbox|搜索邮件|邮件搜索查主题、人员、正文和附件名；会说明哪些邮箱暂时连不上。|搜索邮件 search mail
staff|The clock **snoozes**|/message/email/inbox|稍后处理邮件|时钟图标让邮件离开收件箱，到时再回来并提醒。|稍后提醒 延后 snooze
staff|In a **shared mailbox**|/message/email/inbox|共享邮箱|共享邮箱的邮件有新、回复中、已回复、已关闭；“我来回复”告诉别人，“转交”给同事并生成待办。|共享邮箱 shared mailbox
staff|**Correspondence** shows|/message/email/vce|往来邮件|“往来邮件”显示全公司与客户或供应商的来往；同事的邮件只显示时间、方向、主题和人。|往来邮件 correspondence
staff|**Send by mail**|/offerManage/quote-query/customer|发送报价|价格表用您自己的邮箱以工作簿发送，语言随客户；“邮件”页签显示结果和未发出的原因。|发报价 报价邮件 rate sheet send quote
staff|_Who owns what_|/crm/paramSet|主管操作与参数|主管可在下属客户上催办、设等级、转移、冻结、解冻、作废；参数设置和 CRM 规则保存前显示影响，有版本和例外。|主管 冻结 解冻 参数设置 规则 例外 manager freeze parameters
finance|A business act is one|/financial/ledger/entries|账务分录|每笔业务是一个凭证，至少两条分录，借贷在每种货币和人民币上相等；分录从不修改或删除，错误用冲销。|分录 凭证 借贷 冲销 ledger posting entries
finance|The job \`fin.revalue\`|/financial/ledger/periods|月结与重估|每天 03:10 把外币账户按月末汇率重估，次月一日冲回；不能重估的账户会被列出，关账前须处理。|月结 关账 重估 汇兑 month end revalue close
finance|\`credit/formula.ts\`|/financial/credit-customer/credit-control|授信与停用|账户的额度、占用、可用金额、阶段和原因随每笔入账计算；停用和恢复记入授信记录并通知客户负责人。|授信 额度 可用 停用 恢复 credit limit stop
finance|People stop and resume|/financial/credit-customer/credit-control|手工停用与白名单|可手工停用或恢复账户，或加白名单最多 90 天；手工停用只能手工解除。|停用账户 恢复账户 白名单 whitelist stop account
finance|A bill takes **whatever|/financial/account/consumer/bill|账单包含什么|账单收入截止期末所有未出账的用量、费用、调整和设备款（后付费日期内）；已出账期间的补录进下一张账单。|账单 出账 账期 bill unbilled
finance|The rate of a posting|/setModule/setRate|入账汇率|入账用业务日汇率，没有则取之前最近的、最多五天；更旧或没有则不能入账。|汇率 入账汇率 exchange rate posting
admin|01 Add a column|/setModule/pages|给列表加一列|在页面设计中打开列表，加入字段作为一列，预览后发布。|加列 增加列 新增列 列表加字段 add column
admin|03 Rename a column|/setModule/pages|改列名与隐藏列|在页面设计中选中列，修改标题或设为默认隐藏，然后发布。|改列名 隐藏列 rename hide column
admin|04 Add a filter|/setModule/pages|加筛选器|在页面设计中给列表加筛选器，可设默认值。|加筛选 筛选器 默认筛选 add filter
admin|06 A saved view|/setModule/pages|给所有人的视图|在页面设计中给列表加一个页签作为所有人的视图。|公共视图 页签 view for everybody tab
admin|10 Make a field|/setModule/pages|设为必填|在页面设计中选中字段，设为必填，可带条件。|必填 必须填写 required field
admin|12 Show a field|/setModule/pages|按条件显示字段|在页面设计中给字段设显示条件。|显示条件 条件显示 show field when
admin|15 A new field|/setModule/pages|新增字段|在页面设计中给实体新增字段，可设默认值并出现在导入模板里。|新增字段 加字段 自定义字段 new field
admin|17 Retire a field|/setModule/pages|停用字段|字段可停用，不再显示，历史保留，之后可恢复。|停用字段 删除字段 retire field
admin|18 A new value|/setModule/pages|新增字典值|在字典页面新增值，保存后立即生效，无需发布。|新增字典值 字典 下拉选项 加选项 dictionary value
admin|19 Rename and retire|/setModule/pages|改名或停用字典值|使用中的字典值可改名或停用，旧记录保留原值。|字典改名 停用字典值 rename retire value
admin|20 Hide a price|/setModule/authManage/permissions|角色权限与字段隐藏|在权限管理中给角色勾选菜单、按钮、数据范围和字段规则（隐藏、脱敏、只读）。|角色 权限 加权限 授权 隐藏字段 脱敏 role permission rights hide field
admin|23 A new page|/setModule/pages|新增页面到菜单|在页面设计中新建页面，选择菜单位置，它有自己的权限键。|新页面 加菜单 new page menu
admin|25 For gray|/setModule/pages|灰度发布|先发布给灰度浏览器，验证后发布给所有人。|灰度 发布 gray release
admin|27 Back to|/setModule/pages|回退版本|可回到较早的版本或恢复出厂。|回退 恢复 撤销发布 revert back revision
admin|lists the processes. The designer|/setModule/process/configer|配置审批流程|系统设置的审批流程配置可绘制流程：加号加步骤，设置审批人、多人规则、超时和必填项；可试运行，发布生成新版本，运行中的申请保持旧版本。|设计流程 审批人 配置流程 process designer
admin|says what people are asked|/setModule/feedbackmanagement/fb-config|反馈配置|反馈配置设置弹窗、问题和提示：在哪个菜单、第几次访问、多少天后、哪些角色。|反馈配置 弹窗 评分问题 feedback configuration popup
`

/** The topics of all documents. */
export const TOPICS: readonly Topic[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const [document = '', about = '', path = '', title = '', text = '', words = ''] = line.split('|')
    return { document, about, path, title, text, words }
  })
