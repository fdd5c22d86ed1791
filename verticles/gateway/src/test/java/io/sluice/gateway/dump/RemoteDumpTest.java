package io.sluice.gateway.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.bus.MemberAddresses;
import io.sluice.gateway.peers.Machines;
import io.sluice.gateway.peers.PeerVerticle;
import io.sluice.gateway.peers.SomePeers;
import io.sluice.gateway.peers.SomeProcess;
import io.sluice.messages.member.DumpReply;
import io.sluice.messages.member.DumpRequest;
import io.sluice.shell.Dumps;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemoteDumpTest {
    private final Machines machines = new Machines();
    private final SomePeers peers = new SomePeers();
    private SomeProcess process;
    private SomeProcess other;

    @BeforeEach
    void join() throws Exception {
        process = new SomeProcess(machines.join("aaaa"), peers.join("aaaa", "gateway"), Map.of()).up();
        other = new SomeProcess(machines.join("bbbb"), peers.join("bbbb", "agent"), Map.of()).up();
    }

    @AfterEach
    void leave() throws Exception {
        machines.close();
    }

    @Test
    void readsManyKeysAndLongPiecesWhole() throws Exception {
        var keys = IntStream.range(0, 2_500).mapToObj(i -> "vm-" + i).toList();
        var odd = "\"a" + "😀".repeat(500_000) + "\"";
        offer("agent", keys, key -> Future.succeededFuture(key.equals("vm-1") ? odd : "1"));
        offer("empty", List.of(), Future::succeededFuture);

        var parts = dump().parts().await();

        assertThat(parts).containsOnlyKeys("agent", "empty");
        assertThat(parts.get("agent").keys().await()).isEqualTo(keys);
        assertThat(parts.get("agent").read("vm-0").await()).isEqualTo("1");
        assertThat(parts.get("agent").read("vm-1").await()).isEqualTo(odd);
        assertThat(parts.get("empty").keys().await()).isEmpty();
    }

    @Test
    void aPieceThatCannotBeReadIsReportedAndTheNextIsRead() throws Exception {
        offer("agent", List.of("broken", "fine", "huge"), key -> switch (key) {
            case "broken" -> throw new IllegalStateException("it broke");
            case "huge" -> Future.succeededFuture("x".repeat(DumpServer.PIECE_CHARACTERS_MAX + 1));
            default -> Future.succeededFuture("1");
        });
        var agent = dump().parts().await().get("agent");

        assertThat(catchThrowable(() -> agent.read("broken").await())).hasMessageContaining("it broke");
        assertThat(catchThrowable(() -> agent.read("huge").await()))
                .hasMessageContaining("at most 4194304 are sent to another process");
        assertThat(agent.read("fine").await()).isEqualTo("1");
    }

    @Test
    void aProcessThatStopsAnsweringIsWaitedForOnce() throws Exception {
        offer("agent", List.of("a"), key -> Future.succeededFuture("1"));
        var agent = dump().parts().await().get("agent");
        other.down();

        assertThat(catchThrowable(() -> agent.read("a").await()))
                .hasMessageContaining("no process serves that address");
        other.vertx
                .deployVerticle(new PeerVerticle(other.shell, "", Set.of("agent"), Map.of()))
                .await();
        assertThat(catchThrowable(() -> agent.read("a").await()))
                .hasMessageContaining("no process serves that address");
    }

    @Test
    void keepsLongPiecesForFewReadersAndNotForLong() throws Exception {
        offer("agent", List.of("long"), key -> Future.succeededFuture("x".repeat(DumpReply.CHARACTERS_MAX + 1)));
        for (int reader = 0; reader < DumpServer.READERS_MAX; reader++) {
            assertThat(piece("r" + reader, 0)).isInstanceOf(DumpReply.Slice.class);
        }
        assertThat(piece("one more", 0)).isInstanceOf(DumpReply.Failed.class);
        assertThat(piece("r0", DumpReply.CHARACTERS_MAX)).isEqualTo(new DumpReply.Slice("x", false));
        assertThat(piece("one more", 0)).isInstanceOf(DumpReply.Slice.class);
        assertThat(piece("r0", DumpReply.CHARACTERS_MAX)).isInstanceOf(DumpReply.Failed.class);
    }

    private DumpReply piece(String reader, int from) throws Exception {
        return process.bus
                .request(MemberAddresses.DUMP.at("bbbb"), new DumpRequest.Piece(reader, "agent", "long", from))
                .await();
    }

    private RemoteDump dump() {
        return new RemoteDump(process.bus, "aaaa", "bbbb");
    }

    private void offer(String part, List<String> keys, Function<String, Future<String>> read) {
        other.shell.dumps().offer(part, new Dumps.Source() {
            @Override
            public Future<List<String>> keys() {
                return Future.succeededFuture(keys);
            }

            @Override
            public Future<String> read(String key) {
                return read.apply(key);
            }
        });
    }
}
