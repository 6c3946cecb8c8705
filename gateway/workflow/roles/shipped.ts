import type { Text } from '../../platform/http'

/** Approval roles that the shipped processes ask (money 7.5). Who holds them, a company says itself. */
export const SHIPPED_ROLES: readonly { code: string; name: Text }[] = [
  { code: 'sales.leader', name: { zh: '销售主管', en: 'Sales leader' } },
  { code: 'sales.director', name: { zh: '销售总监', en: 'Sales director' } },
  { code: 'credit.officer', name: { zh: '信控专员', en: 'Credit officer' } },
  { code: 'fin.ar', name: { zh: '应收会计', en: 'Accounts receivable' } },
  { code: 'fin.ap', name: { zh: '应付会计', en: 'Accounts payable' } },
  { code: 'cashier', name: { zh: '出纳', en: 'Cashier' } },
  { code: 'fin.manager', name: { zh: '财务经理', en: 'Finance manager' } },
  { code: 'cfo', name: { zh: '财务总监', en: 'CFO' } },
  { code: 'ceo', name: { zh: '总经理', en: 'CEO' } },
  { code: 'legal', name: { zh: '法务', en: 'Legal' } },
  { code: 'buy.leader', name: { zh: '采购主管', en: 'Purchasing leader' } },
  { code: 'buy.director', name: { zh: '采购总监', en: 'Purchasing director' } },
  { code: 'price.manager', name: { zh: '价格经理', en: 'Price manager' } },
  { code: 'noc.lead', name: { zh: 'NOC 主管', en: 'NOC lead' } },
  { code: 'cs.lead', name: { zh: '客服主管', en: 'Customer service lead' } },
  { code: 'it.admin', name: { zh: 'IT 管理员', en: 'IT administrator' } },
]
