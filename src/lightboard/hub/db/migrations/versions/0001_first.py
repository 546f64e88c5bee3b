"""The first tables.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

WORDS = sa.String().with_variant(sa.String(collation="C"), "postgresql")
SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Makes everything."""
    op.create_table(
        "accounts",
        sa.Column("id", WORDS, nullable=False),
        sa.Column("name", WORDS, nullable=False),
        sa.Column("display_name", WORDS, nullable=False),
        sa.Column("email", WORDS, nullable=False),
        sa.Column("kind", WORDS, nullable=False),
        sa.Column("administrator", sa.Boolean(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("limit", sa.BigInteger(), nullable=True),
        sa.Column("password_hash", WORDS, nullable=False),
        sa.Column("subject", WORDS, nullable=False),
        sa.Column("language", WORDS, nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name", name=op.f("uq_accounts_name")),
    )
    op.create_index(op.f("ix_accounts_email"), "accounts", ["email"], unique=False)
    op.create_index(
        "uq_accounts_subject",
        "accounts",
        ["subject"],
        unique=True,
        sqlite_where=sa.text("subject <> ''"),
        postgresql_where=sa.text("subject <> ''"),
    )
    op.create_table(
        "audit",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("actor", WORDS, nullable=False),
        sa.Column("action", WORDS, nullable=False),
        sa.Column("kind", WORDS, nullable=False),
        sa.Column("target", WORDS, nullable=False),
        sa.Column("project", WORDS, nullable=False),
        sa.Column("via", WORDS, nullable=False),
        sa.Column("address", WORDS, nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_actor"), "audit", ["actor"], unique=False)
    op.create_index(op.f("ix_audit_at"), "audit", ["at"], unique=False)
    op.create_index("ix_audit_project_id", "audit", ["project", "id"], unique=False)
    op.create_index(op.f("ix_audit_target"), "audit", ["target"], unique=False)
    op.create_table(
        "changes",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("kind", WORDS, nullable=False),
        sa.Column("target", WORDS, nullable=False),
        sa.Column("narrowed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_changes")),
    )
    op.create_index(op.f("ix_changes_at"), "changes", ["at"], unique=False)
    op.create_table(
        "projects",
        sa.Column("id", WORDS, nullable=False),
        sa.Column("name", WORDS, nullable=False),
        sa.Column("display_name", WORDS, nullable=False),
        sa.Column("storage", WORDS, nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
        sa.UniqueConstraint("name", name=op.f("uq_projects_name")),
    )
    op.create_table(
        "settings",
        sa.Column("name", WORDS, nullable=False),
        sa.Column("value", WORDS, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "answers",
        sa.Column("account", WORDS, nullable=False),
        sa.Column("key", WORDS, nullable=False),
        sa.Column("question", WORDS, nullable=False),
        sa.Column("status", sa.BigInteger(), nullable=False),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("body", WORDS, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_answers_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account", "key", name=op.f("pk_answers")),
    )
    op.create_index(op.f("ix_answers_at"), "answers", ["at"], unique=False)
    op.create_table(
        "datasets",
        sa.Column("id", WORDS, nullable=False),
        sa.Column("name", WORDS, nullable=False),
        sa.Column("project", WORDS, nullable=False),
        sa.Column("owner", WORDS, nullable=False),
        sa.Column("kind", WORDS, nullable=False),
        sa.Column("uri", WORDS, nullable=False),
        sa.Column("credential", WORDS, nullable=False),
        sa.Column("display_name", WORDS, nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["accounts.id"], name=op.f("fk_datasets_owner")),
        sa.ForeignKeyConstraint(["project"], ["projects.id"], name=op.f("fk_datasets_project"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_datasets")),
    )
    op.create_index("uq_datasets_project_name", "datasets", ["project", "name"], unique=True)
    op.create_table(
        "members",
        sa.Column("project", WORDS, nullable=False),
        sa.Column("account", WORDS, nullable=False),
        sa.Column("role", WORDS, nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_members_account"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project"], ["projects.id"], name=op.f("fk_members_project"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project", "account", name=op.f("pk_members")),
    )
    op.create_index(op.f("ix_members_account"), "members", ["account"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("digest", WORDS, nullable=False),
        sa.Column("account", WORDS, nullable=False),
        sa.Column("csrf", WORDS, nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("last_seen_at", sa.Double(), nullable=False),
        sa.Column("address", WORDS, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_sessions_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_account"), "sessions", ["account"], unique=False)
    op.create_table(
        "tensorboards",
        sa.Column("id", WORDS, nullable=False),
        sa.Column("name", WORDS, nullable=False),
        sa.Column("display_name", WORDS, nullable=False),
        sa.Column("project", WORDS, nullable=False),
        sa.Column("owner", WORDS, nullable=False),
        sa.Column("sources", sa.JSON(), nullable=False),
        sa.Column("source_key", WORDS, nullable=False),
        sa.Column("origin", WORDS, nullable=False),
        sa.Column("origin_id", WORDS, nullable=False),
        sa.Column("status", WORDS, nullable=False),
        sa.Column("reason", WORDS, nullable=False),
        sa.Column("message", WORDS, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("access", WORDS, nullable=False),
        sa.Column("http_auth", sa.Boolean(), nullable=False),
        sa.Column("life_span_secs", sa.Double(), nullable=False),
        sa.Column("idle_timeout_secs", sa.Double(), nullable=False),
        sa.Column("reload_secs", sa.Double(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.Column("status_since", sa.Double(), nullable=False),
        sa.Column("running_since", sa.Double(), nullable=True),
        sa.Column("ran_secs", sa.Double(), nullable=False),
        sa.Column("last_active_at", sa.Double(), nullable=True),
        sa.Column("restarts", sa.BigInteger(), nullable=False),
        sa.Column("executor", WORDS, nullable=False),
        sa.Column("executor_ref", WORDS, nullable=False),
        sa.Column("spec_version", sa.BigInteger(), nullable=False),
        sa.Column("placed_version", sa.BigInteger(), nullable=False),
        sa.Column("progress", sa.JSON(), nullable=False),
        sa.Column("memory_bytes", sa.BigInteger(), nullable=True),
        sa.Column("cpu_secs", sa.Double(), nullable=True),
        sa.Column("sought", WORDS, nullable=False),
        sa.Column("sources_sought", WORDS, nullable=False),
        sa.Column("marks", WORDS, nullable=False),
        sa.Column("sort_name", WORDS, nullable=False),
        sa.Column("loading", sa.Boolean(), nullable=False),
        sa.Column("leased_to", WORDS, nullable=False),
        sa.Column("leased_until", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["accounts.id"], name=op.f("fk_tensorboards_owner")),
        sa.ForeignKeyConstraint(["project"], ["projects.id"], name=op.f("fk_tensorboards_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tensorboards")),
    )
    op.create_index("ix_tensorboards_owner_status", "tensorboards", ["owner", "status"], unique=False)
    op.create_index("ix_tensorboards_project_created_at", "tensorboards", ["project", "created_at"], unique=False)
    op.create_index("ix_tensorboards_project_source_key", "tensorboards", ["project", "source_key"], unique=False)
    op.create_index(op.f("ix_tensorboards_status"), "tensorboards", ["status"], unique=False)
    op.create_index(
        "uq_tensorboards_project_name",
        "tensorboards",
        ["project", "name"],
        unique=True,
        sqlite_where=sa.text("status <> 'Deleted'"),
        postgresql_where=sa.text("status <> 'Deleted'"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", WORDS, nullable=False),
        sa.Column("account", WORDS, nullable=False),
        sa.Column("name", WORDS, nullable=False),
        sa.Column("digest", WORDS, nullable=False),
        sa.Column("shown", WORDS, nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("project", WORDS, nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=True),
        sa.Column("last_used_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name=op.f("fk_tokens_account"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_tokens_digest")),
    )
    op.create_index(op.f("ix_tokens_account"), "tokens", ["account"], unique=False)
    op.create_table(
        "shares",
        sa.Column("id", WORDS, nullable=False),
        sa.Column("tensorboard", WORDS, nullable=False),
        sa.Column("issuer", WORDS, nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("revoked_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["issuer"], ["accounts.id"], name=op.f("fk_shares_issuer")),
        sa.ForeignKeyConstraint(
            ["tensorboard"], ["tensorboards.id"], name=op.f("fk_shares_tensorboard"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shares")),
    )
    op.create_index(op.f("ix_shares_tensorboard"), "shares", ["tensorboard"], unique=False)
    op.create_table(
        "transitions",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("tensorboard", WORDS, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("status", WORDS, nullable=False),
        sa.Column("reason", WORDS, nullable=False),
        sa.Column("message", WORDS, nullable=False),
        sa.Column("actor", WORDS, nullable=False),
        sa.ForeignKeyConstraint(
            ["tensorboard"], ["tensorboards.id"], name=op.f("fk_transitions_tensorboard"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_transitions")),
    )
    op.create_index(op.f("ix_transitions_tensorboard"), "transitions", ["tensorboard"], unique=False)
