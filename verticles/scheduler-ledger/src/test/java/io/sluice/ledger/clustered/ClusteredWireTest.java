package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.wire.UnreadableMessageException;
import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages between members stay readable for members of later versions, and earlier versions refuse them by name. */
class ClusteredWireTest {
    private static final UUID TERM = new UUID(3, 4);
    private static final ReplicaOrigin ORIGIN = new ReplicaOrigin(new UUID(1, 2), TERM);
    private static final StoredState BLANK = kept(7);
    private static final InternalSerializationService SERVICE = new DefaultSerializationServiceBuilder()
            .addDataSerializableFactory(LedgerWire.FACTORY, LedgerWire.classes())
            .build();

    private static StoredState kept(long stamp) {
        return new StoredState(NodeState.blank("n"), stamp, Instant.ofEpochSecond(3, 4), TERM, Optional.empty());
    }

    static Stream<Arguments> frozen() {
        return Stream.of(
                Arguments.of(
                        "ledger.kept-state",
                        BLANK,
                        "02000000000000000700000000000000030000000400000000000000030000000000000004000000"
                            + "6009000000016e000000000000000000000000000000000000000000000000000000000000000000000000000000010000000001000000000800000000000000000000000000000000008000000000000000000000000000000000000000000000"),
                Arguments.of(
                        "ledger.copy-state",
                        new ReplicaState(ORIGIN, Optional.of(BLANK)),
                        "02000000000000000100000000000000020000000000000003000000000000000401020000000000000007000000000000000300000004000000000000000300000000000000040000006009000000016e000000000000000000000000000000000000000000000000000000000000000000000000000000010000000001000000000800000000000000000000000000000000008000000000000000000000000000000000000000000000"),
                Arguments.of(
                        "ledger.copy-state",
                        new ReplicaState(ORIGIN, Optional.empty()),
                        "02000000000000000100000000000000020000000000000003000000000000000400"),
                Arguments.of(
                        "ledger.copy-change",
                        new ReplicaChange(ORIGIN, kept(7), kept(8)),
                        "020000000000000001000000000000000200000000000000030000000000000004000000000000000700000000000000080000000000000003000000040000000d09000000000000000000000000"),
                Arguments.of(
                        "ledger.command-batch",
                        new CommandBatch(List.of(new LedgerCommand.Tick(), new LedgerCommand.Confirm("m")), true),
                        "01010000000200000002061100000007060c000000016d"),
                Arguments.of(
                        "ledger.batch-reply",
                        BatchReply.of(List.of(3, true)),
                        "0100000000020000000601090000000300000003010801"),
                Arguments.of(
                        "ledger.batch-reply",
                        BatchReply.refused(new GrantRefusal(GrantRefusal.Cause.COPY_MISSING, "why")),
                        "0101020000000377687900000000"),
                Arguments.of(
                        "ledger.presence",
                        new MembershipProbe(new UUID(1, 2), TERM),
                        "020000000000000001000000000000000200000000000000030000000000000004"),
                Arguments.of(
                        "ledger.presence-reply",
                        new ProbeReply(new Term.Answer(Term.Part.IN, Optional.of(TERM), 5, new UUID(6, 7))),
                        "01020100000000000000030000000000000004000000000000000500000000000000060000000000000007"),
                Arguments.of(
                        "ledger.presence-reply",
                        new ProbeReply(),
                        "010000000000000000000000000000000000000000000000000000"));
    }

    @ParameterizedTest
    @MethodSource("frozen")
    void writesAndReadsTheFrozenBytes(String name, IdentifiedDataSerializable message, String hex) throws IOException {
        assertThat(written(message)).isEqualTo(hex);

        assertThat(written(read(message, hex))).isEqualTo(hex);
    }

    @ParameterizedTest
    @MethodSource("frozen")
    @DisplayName("F22: stored state and commands of another version are refused by name")
    void refusesAnyOtherVersionByName(String name, IdentifiedDataSerializable message, String hex) {
        int version = Integer.parseInt(hex.substring(0, 2), 16);

        for (int other : List.of(version - 1, version + 1)) {
            assertThatThrownBy(() -> read(message, String.format("%02x", other) + hex.substring(2)))
                    .hasRootCauseInstanceOf(UnreadableMessageException.class)
                    .hasMessageContaining(
                            name + ": version " + other + " found, versions " + version + " to " + version);
        }
    }

    @Test
    void refusesLedgerStateOfANewerVersionThoughItReadsItLater() throws IOException {
        var hex = written(BLANK);
        int version = LedgerWire.STATE.version();
        var newer = hex.substring(0, STATE_AT) + "%02x".formatted(version + 1) + hex.substring(STATE_AT + 2);

        assertThatThrownBy(() -> read(BLANK, newer))
                .hasMessageContaining("ledger.node-state: version " + (version + 1) + " found, versions "
                        + LedgerWire.STATE.oldest() + " to " + version + " can be read");
    }

    /** Two digits a byte: envelope, stamp, seconds, nanoseconds, term and length precede the state. */
    private static final int STATE_AT =
            2 * (1 + Long.BYTES + Long.BYTES + Integer.BYTES + 2 * Long.BYTES + Integer.BYTES);

    private static String written(IdentifiedDataSerializable message) throws IOException {
        var out = SERVICE.createObjectDataOutput();
        message.writeData(out);
        return HexFormat.of().formatHex(out.toByteArray());
    }

    private static IdentifiedDataSerializable read(IdentifiedDataSerializable like, String hex) throws IOException {
        var read = LedgerWire.classes().create(like.getClassId());
        read.readData(SERVICE.createObjectDataInput(HexFormat.of().parseHex(hex)));
        return read;
    }
}
