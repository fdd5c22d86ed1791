package io.sluice.launcher.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.sluice.bus.BusEndpoint;
import io.sluice.launcher.core.Role;
import io.sluice.shell.Readiness;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: on a bus with TLS no process without a certificate of the Hazelcast cluster's own issuer sends or receives a
 * message. Method: real members in one JVM. The intruders are members too, as the members' port has no authentication,
 * so they have every address; they differ only in their certificates on the bus.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BusTlsTest {
    private static final String ADDRESS = "bus-tls-test";
    private static final DeliveryOptions IN_TIME = new DeliveryOptions().setSendTimeout(60_000);
    private static final DeliveryOptions SOON = new DeliveryOptions().setSendTimeout(2_000);

    private final Queue<String> arrived = new ConcurrentLinkedQueue<>();
    private final List<HazelcastInstance> members = new ArrayList<>();
    private final List<Vertx> buses = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();
    private BusTlsFiles own;
    private BusTlsFiles others;
    private Vertx receiver;
    private Vertx sender;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        var authority = TestAuthority.of(directory, "own");
        own = authority.files("one");
        others = TestAuthority.of(directory, "unknown").files("stranger");
        receiver = bus(authority.files("two"), options -> {});
        sender = bus(own, options -> {});
        receiver.eventBus()
                .<String>consumer(ADDRESS, message -> {
                    arrived.add(message.body());
                    message.reply("yes");
                })
                .completion()
                .await();
    }

    @AfterAll
    void stop() {
        buses.forEach(bus -> bus.close().await());
        members.forEach(member -> member.getLifecycleService().terminate());
    }

    @Test
    void membersOfOneAuthorityReachEachOther() {
        assertThat(request(sender, ADDRESS, "own", IN_TIME)).isEqualTo("yes");
        assertThat(arrived).contains("own");
    }

    @Test
    void aProcessWithoutACertificateDeliversNothing() throws Exception {
        isKeptOut(bus(own, options -> options.setKeyCertOptions(null).setClientAuth(ClientAuth.NONE)), "nameless");
    }

    @Test
    void aProcessWithACertificateOfAnUnknownAuthorityDeliversNothing() throws Exception {
        isKeptOut(bus(own, options -> options.setKeyCertOptions(key(others))), "unknown");
    }

    @Test
    void aProcessThatSendsPlainTextDeliversNothing() throws Exception {
        isKeptOut(bus(BusTlsFiles.NONE, options -> {}), "plain");
    }

    @Test
    void nothingIsSentToAProcessWithACertificateOfAnUnknownAuthority() throws Exception {
        var stranger = bus(
                own,
                options -> options.setKeyCertOptions(key(others))
                        .setTrustOptions(
                                new PemTrustOptions().addCertPath(own.caFile()).addCertPath(others.caFile())));
        var caught = new ConcurrentLinkedQueue<Object>();
        stranger.eventBus()
                .consumer("bus-tls-bait", message -> {
                    caught.add(message.body());
                    message.reply("yes");
                })
                .completion()
                .await();

        assertThat(request(sender, "bus-tls-bait", "secret", SOON)).startsWith("failed");

        assertThat(caught).isEmpty();
    }

    @Test
    void aProcessThatDiffersFromTheOthersDoesNotStart() throws Exception {
        var plain = config(BusTlsFiles.NONE);

        assertThatThrownBy(() ->
                        Membership.join(plain, Set.of(Role.AGENT), Optional.empty(), new Readiness(), () -> false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("hazelcast.busTls is not given here and given in the member 127.0.0.1:")
                .hasMessageContaining("all processes of one Hazelcast cluster need it, or none");
    }

    @Test
    void aFileThatIsNotThereIsNamedByItsKey() throws Exception {
        var missing = config(new BusTlsFiles(own.cert(), "/nowhere/tls.key", own.caFile()));

        assertThatThrownBy(() ->
                        Membership.join(missing, Set.of(Role.AGENT), Optional.empty(), new Readiness(), () -> false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("hazelcast.busTls.key=/nowhere/tls.key cannot be read");
    }

    @Test
    void aFileWithoutCertificatesIsNamedByItsKey(@TempDir Path directory) throws Exception {
        var empty = Files.writeString(directory.resolve("ca.crt"), "").toString();
        var wrong = new BusTlsFiles(own.cert(), own.key(), empty);

        assertThatThrownBy(wrong::read)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("hazelcast.busTls.caFile=" + empty + " holds no certificate");
    }

    /** The message fails, and of the messages after it only the valid one arrives. */
    private void isKeptOut(Vertx stranger, String text) {
        assertThat(request(stranger, ADDRESS, text, SOON)).startsWith("failed");

        assertThat(request(sender, ADDRESS, "after " + text, IN_TIME)).isEqualTo("yes");
        assertThat(arrived).contains("after " + text).doesNotContain(text);
    }

    private static String request(Vertx from, String address, String body, DeliveryOptions options) {
        return from.eventBus()
                .<String>request(address, body, options)
                .map(reply -> reply.body())
                .otherwise(failure -> "failed: " + failure)
                .await();
    }

    private static PemKeyCertOptions key(BusTlsFiles files) {
        return new PemKeyCertOptions().setCertPath(files.cert()).setKeyPath(files.key());
    }

    /** A data member and its bus, whose options are then changed. */
    private Vertx bus(BusTlsFiles files, Consumer<EventBusOptions> spoilt) throws Exception {
        var config = config(files);
        addresses.add("127.0.0.1:" + config.port());
        var settings = MemberSettings.of(config, "member-" + members.size(), Set.of(Role.LEDGER), Optional.empty());
        var member = Hazelcast.newHazelcastInstance(settings.setLiteMember(false));
        members.add(member);
        assertThat(member.getCluster().getMembers()).hasSameSizeAs(members);
        var options = new BusEndpoint(config.host(), config.busPort(), config.reachedAt(), files.read())
                .in(new VertxOptions());
        spoilt.accept(options.getEventBusOptions());
        var bus = Vertx.builder()
                .with(options)
                .withClusterManager(new RetryingClusterManager(member))
                .buildClustered()
                .await();
        buses.add(bus);
        return bus;
    }

    private HazelcastConfig config(BusTlsFiles files) throws IOException {
        var ports = FreePorts.found();
        var known = new ArrayList<>(addresses);
        known.add("127.0.0.1:" + ports.member());
        return new HazelcastConfig(
                Discovery.TCP, "bus-tls", "127.0.0.1", ports.member(), ports.bus(), "", known, "", "", 1, files, false);
    }
}
