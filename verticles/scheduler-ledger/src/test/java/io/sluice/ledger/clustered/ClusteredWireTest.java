package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.NodeState;
import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What members send each other stays readable for members of later versions, and is refused by name by earlier ones.
 */
class ClusteredWireTest {
    private static final KeptState BLANK = kept(7);
    private static final InternalSerializationService SERVICE = new DefaultSerializationServiceBuilder()
            .addDataSerializableFactory(LedgerWire.FACTORY, LedgerWire.classes())
            .build();

    private static KeptState kept(long stamp) {
        return new KeptState(NodeState.blank("n"), stamp, Instant.ofEpochSecond(3, 4), Optional.empty());
    }

    static Stream<Arguments> frozen() {
        return Stream.of(
                Arguments.of(
                        "ledger.kept-state",
                        BLANK,
                        "0100000000000000070000000000000003000000040000003a"
                            + "01000000016e00000000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000"),
                Arguments.of(
                        "ledger.copy-state",
                        new CopyState(Optional.of(BLANK)),
                        "01010100000000000000070000000000000003000000040000003a01000000016e00000000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000"),
                Arguments.of("ledger.copy-state", new CopyState(Optional.empty()), "0100"),
                Arguments.of(
                        "ledger.copy-change",
                        new CopyChange(kept(7), kept(8)),
                        "01000000000000000700000000000000080000000000000003000000040000000c010000000000000000000000"),
                Arguments.of(
                        "ledger.command-batch",
                        new CommandBatch(List.of(new LedgerCommand.Tick(), new LedgerCommand.Confirm("m")), true),
                        "01010000000200000002011100000007010c000000016d"),
                Arguments.of(
                        "ledger.batch-reply",
                        BatchReply.of(List.of(3, true)),
                        "0100000000020000000601090000000300000003010801"),
                Arguments.of(
                        "ledger.batch-reply",
                        BatchReply.refused(new Refusal(Refusal.Cause.COPY_MISSING, "why")),
                        "0101020000000377687900000000"),
                Arguments.of("ledger.presence", new Presence(new UUID(1, 2)), "0100000000000000010000000000000002"));
    }

    @ParameterizedTest
    @MethodSource("frozen")
    void writesAndReadsTheFrozenBytes(String name, IdentifiedDataSerializable message, String hex) throws IOException {
        assertThat(written(message)).isEqualTo(hex);

        assertThat(written(read(message, hex))).isEqualTo(hex);
    }

    @ParameterizedTest
    @MethodSource("frozen")
    void refusesANewerVersionByName(String name, IdentifiedDataSerializable message, String hex) {
        assertThatThrownBy(() -> read(message, "02" + hex.substring(2)))
                .isInstanceOf(HazelcastSerializationException.class)
                .hasMessageContaining(name + ": version 2 found, versions 1 to 1 can be read");
    }

    @Test
    void refusesBooksOfANewerVersionThoughItReadsThemLater() throws IOException {
        var hex = written(BLANK);
        var newer = hex.substring(0, STATE_AT) + "02" + hex.substring(STATE_AT + 2);

        assertThatThrownBy(() -> read(BLANK, newer))
                .hasMessageContaining("ledger.node-state: version 2 found, versions 1 to 1 can be read");
    }

    /** Two digits a byte: envelope, stamp, seconds, nanoseconds and length stand before the books. */
    private static final int STATE_AT = 2 * (1 + Long.BYTES + Long.BYTES + Integer.BYTES + Integer.BYTES);

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
