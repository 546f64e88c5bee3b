/** The frame of a page that lists and creates things, and cells that all of their tables share. */

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { visibleText } from "../../lib/visible-text";
import { Button } from "../../ui/button";
import type { IconName } from "../../ui/icon";
import cell from "./cells.module.css";
import { Link } from "./link";
import { ErrorNotice, Page } from "./page";
import { type Column, Table } from "./table";

interface ListPageProps<Row> {
  name: string;
  title: string;
  list: UseQueryResult<{ items: readonly Row[] }>;
  columns: readonly Column<Row>[];
  rowTestId: string;
  /** The button that creates one, if permitted. */
  make: { label: string; onClick(): void } | null;
  /** Other actions, to the left of it. */
  beside?: ReactNode;
  /** Shown if there are none. */
  none?: ReactNode;
  /** Dialogs. */
  children?: ReactNode;
}

export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { name, title, list, columns, rowTestId, make, beside, none, children } = props;
  const items = list.data?.items ?? [];
  return (
    <Page
      name={name}
      title={title}
      busy={list.isPending}
      actions={
        <>
          {beside}
          {make && (
            <Button variant="primary" icon="plus" data-testid="new" onClick={make.onClick}>
              {make.label}
            </Button>
          )}
        </>
      }
    >
      {list.isError && !list.data && <ErrorNotice fault={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && none}
      {items.length > 0 && (
        <Table label={title} rows={items} rowKey={(each) => each.id} testId={rowTestId} columns={columns} />
      )}
      {children}
    </Page>
  );
}

interface SectionProps<Row> {
  title: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  testId: string;
}

/** A table with a heading, as part of a page; nothing if it has no rows. */
export function TableSection<Row extends { id: string }>({
  title,
  rows,
  columns,
  testId,
}: SectionProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <section className={cell.part}>
      <h2 className={cell.section}>{title}</h2>
      <Table label={title} rows={rows} rowKey={(each) => each.id} testId={testId} columns={columns} />
    </section>
  );
}

interface NameCellProps {
  name: string;
  /** The display name, "" if there is none. */
  shown: string;
  /** The link to its page. */
  to?: string;
}

/** The display name, and below it the name that programs use, if it is another. */
export function NameCell({ name, shown, to }: NameCellProps) {
  const called = <bdi>{visibleText(shown || name)}</bdi>;
  return (
    <>
      {to ? (
        <Link to={to} className={cell.strong}>
          {called}
        </Link>
      ) : (
        <span className={cell.strong}>{called}</span>
      )}
      {shown && shown !== name && <bdi className={cell.second}>{name}</bdi>}
    </>
  );
}

/** A small button at the end of a row. */
export function RowButton({ icon, label, onClick }: { icon: IconName; label: string; onClick(): void }) {
  return <Button variant="quiet" size="small" icon={icon} label={label} onClick={onClick} />;
}
