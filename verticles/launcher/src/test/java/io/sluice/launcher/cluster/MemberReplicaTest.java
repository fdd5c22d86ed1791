package io.sluice.launcher.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.sluice.ledger.clustered.ClusteredLedger;
import io.sluice.shell.LoopbackPorts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is put into the replica outlives the member that put it, and a data member; with real members. */
class MemberReplicaTest {
    private static final int DATA_MEMBERS = 3;

    private final Vertx vertx = Vertx.vertx();
    private final List<HazelcastInstance> members = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    @BeforeEach
    void join() throws Exception {
        for (int i = 0; i <= DATA_MEMBERS; i++) {
            ports.add(LoopbackPorts.next());
        }
        for (int i = 0; i < DATA_MEMBERS; i++) {
            members.add(Hazelcast.newHazelcastInstance(config(ports.get(i), false)));
        }
        members.add(Hazelcast.newHazelcastInstance(config(ports.get(DATA_MEMBERS), true)));
    }

    private Config config(int port, boolean lite) {
        var config = new Config().setClusterName("replica-" + ports.getFirst());
        config.setProperty("hazelcast.logging.type", "slf4j")
                .setProperty("hazelcast.wait.seconds.before.join", "0")
                .setProperty("hazelcast.shutdownhook.enabled", "false");
        config.getJetConfig().setEnabled(false);
        ClusteredLedger.tune(config);
        MemberReplica.configure(config, DATA_MEMBERS);
        var network = config.getNetworkConfig();
        network.setPort(port).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        var join = network.getJoin();
        join.getMulticastConfig().setEnabled(false);
        join.getAutoDetectionConfig().setEnabled(false);
        var list = join.getTcpIpConfig().setEnabled(true);
        ports.forEach(other -> list.addMember("127.0.0.1:" + other));
        return config.setLiteMember(lite);
    }

    @AfterEach
    void leave() {
        members.forEach(member -> member.getLifecycleService().terminate());
        done(vertx.close());
    }

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void whatIsPutOutlivesItsWriterAndADataMember() {
        var writer = new MemberReplica(members.getLast(), vertx);
        var entries = new HashMap<String, byte[]>();
        for (int i = 0; i < 1_000; i++) {
            entries.put("meter/" + i, new byte[] {(byte) i});
        }
        done(writer.put(entries));
        done(writer.put(Map.of("meter/7", new byte[] {77})));
        done(writer.remove(Set.of("meter/8", "unknown")));
        entries.remove("meter/8");

        members.removeLast().getLifecycleService().terminate();
        members.removeFirst().getLifecycleService().terminate();

        var reader = new MemberReplica(members.getFirst(), vertx);
        assertThat(done(reader.keys())).containsExactlyInAnyOrderElementsOf(entries.keySet());
        var read = done(reader.read(entries.keySet()));
        assertThat(read).hasSize(999);
        assertThat(read.get("meter/7")).containsExactly(77);
        assertThat(done(reader.read(Set.of("meter/8")))).isEmpty();
    }
}
