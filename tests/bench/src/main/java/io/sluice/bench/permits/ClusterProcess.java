package io.sluice.bench.permits;

import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.Config;
import io.sluice.bus.Bus;
import io.sluice.gateway.GatewayVerticle;
import io.sluice.launcher.cluster.Discovery;
import io.sluice.launcher.cluster.HazelcastConfig;
import io.sluice.launcher.cluster.Membership;
import io.sluice.launcher.core.Role;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.ledger.clustered.ClusteredLedger;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * One process of {@link ClusterBench}, joined to the others as the launcher joins it. The first loads the fleet. It
 * reports its listener's port, and then executes its parent's orders: {@code bus SECONDS IN_FLIGHT} requests over the
 * bus itself.
 */
final class ClusterProcess {
    private static final int FIRST_PORT = 25_701;
    private static final int BUS_OFFSET = 100;

    private ClusterProcess() {}

    /** Takes its number, the number of processes with the role ledger, and its roles. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int number = Integer.parseInt(arguments[0]);
        int ledgers = Integer.parseInt(arguments[1]);
        var roles = EnumSet.noneOf(Role.class);
        Arrays.stream(arguments).skip(2).map(Role::valueOf).forEach(roles::add);
        var config = Config.with(PermitFleet.OPEN_LISTENER);
        var shell = Config.shell();
        var ledger = roles.contains(Role.LEDGER)
                ? Optional.of(
                        new ClusteredLedger(config.ledger().rules(), ledgers, System::nanoTime, InstantSource.system()))
                : Optional.<ClusteredLedger>empty();
        long begun = System.nanoTime();
        var membership = Membership.join(hazelcast(number, ledgers), roles, ledger, shell.readiness(), () -> false)
                .orElseThrow();
        var vertx = Config.done(
                membership.vertx(new VertxOptions(), options -> Vertx.builder().with(options)));
        ledger.ifPresent(kept -> Config.done(vertx.deployVerticle(
                new LedgerVerticle(config.ledger(), kept.open(membership.member(), vertx), shell))));
        var gateway = new GatewayVerticle(config.gateway(), shell);
        if (roles.contains(Role.GATEWAY)) {
            Config.done(vertx.deployVerticle(gateway));
        }
        Child.report(roles.contains(Role.GATEWAY) ? Integer.toString(gateway.agentPort()) : "-");
        Child.report(Long.toString((System.nanoTime() - begun) / 1_000_000));
        obey(new Bus(vertx), membership);
        System.exit(0);
    }

    private static HazelcastConfig hazelcast(int number, int ledgers) {
        return new HazelcastConfig(
                Discovery.TCP,
                "bench",
                "127.0.0.1",
                FIRST_PORT + number,
                FIRST_PORT + BUS_OFFSET + number,
                "",
                List.of(address(0), address(1), address(2), address(3)),
                "",
                "",
                ledgers,
                HazelcastConfig.DEFAULTS.busTls(),
                false);
    }

    private static String address(int number) {
        return "127.0.0.1:" + (FIRST_PORT + number);
    }

    private static void obey(Bus bus, Membership membership) throws IOException {
        for (var order = Child.order(); order.isPresent(); order = Child.order()) {
            var words = order.get().split(" ");
            switch (words[0]) {
                case "load" -> {
                    PermitFleet.load(bus);
                    Child.report("loaded");
                }
                case "bus" ->
                    Child.report(new BusLoad(bus, Integer.parseInt(words[2])).run(Integer.parseInt(words[1])));
                case "leave" -> {
                    long begun = System.nanoTime();
                    membership.leave();
                    Child.report(Long.toString((System.nanoTime() - begun) / 1_000_000));
                    return;
                }
                default -> throw new IllegalArgumentException(order.get());
            }
        }
    }
}
