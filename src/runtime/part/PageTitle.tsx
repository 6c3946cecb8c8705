import { theme, Typography } from 'antd'

/** The heading of a widget that is a page, in the size that lists and reports have. Nothing where the widget stands inside another page. */
export const PageTitle = ({ title }: { title: unknown }) => {
  const { token } = theme.useToken()
  if (typeof title !== 'string' || title === '') return null
  return (
    <Typography.Title level={1} style={{ fontSize: token.fontSizeHeading4, margin: 0 }}>
      {title}
    </Typography.Title>
  )
}
