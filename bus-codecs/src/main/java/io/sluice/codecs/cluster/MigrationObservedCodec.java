package io.sluice.codecs.cluster;

import io.sluice.codecs.EnumNumbers;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.wire.WireCodec;
import io.sluice.wire.WireReader;
import io.sluice.wire.WireWriter;

/**
 * v2: driver, namespace, name, uid texts, version i64, vmName text, phase u8, sourcePod, targetPod, roomOn texts, ours,
 * deleting bools, createdAtSeconds i64, attempt text.
 */
public final class MigrationObservedCodec extends WireCodec<MigrationObserved> {
    /** The codec. */
    public MigrationObservedCodec() {
        super("cluster.migration-observed", 2);
    }

    @Override
    protected void write(MigrationObserved message, WireWriter out) {
        out.text(message.driver())
                .text(message.namespace())
                .text(message.name())
                .text(message.uid())
                .i64(message.version())
                .text(message.vmName())
                .constant(EnumNumbers.MIGRATION_PHASE, message.phase())
                .text(message.sourcePod())
                .text(message.targetPod())
                .text(message.roomOn())
                .bool(message.ours())
                .bool(message.deleting())
                .i64(message.createdAtSeconds())
                .text(message.attempt());
    }

    @Override
    protected MigrationObserved read(int version, WireReader in) {
        return new MigrationObserved(
                in.text(),
                in.text(),
                in.text(),
                in.text(),
                in.i64(),
                in.text(),
                in.constant(EnumNumbers.MIGRATION_PHASE),
                in.text(),
                in.text(),
                in.text(),
                in.bool(),
                in.bool(),
                in.i64(),
                in.text());
    }
}
