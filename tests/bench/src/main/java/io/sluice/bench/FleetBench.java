package io.sluice.bench;

import io.sluice.bench.measurement.BenchOption;
import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.Config;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;

/**
 * The cost of the upkeep of a VM that needs no change: CPU and memory of an agent's process, divided by its VMs. Each
 * VM has a scrape every 5 s and a permit request every 15 s. This process runs the guests, another one the agent.
 */
public final class FleetBench {
    private static final List<String> JVM = List.of("-Xmx1g");
    private static final String FED = "fed";
    private static final String WITH_MONITORS = "monitors";

    private FleetBench() {}

    /** Takes how the VMs are reached, and how many there are; prints a table. */
    public static void main(String[] arguments) throws IOException {
        var how = arguments[0];
        var vms = arguments[1];
        var vertx = Vertx.vertx();
        var guests = new Guests(vertx);
        Config.done(guests.start());
        int port = how.equals(FED) ? 0 : guests.port();
        try (var agent = Child.start(
                AgentProcess.class,
                BenchOption.recorded(JVM, 45),
                vms,
                Integer.toString(port),
                Boolean.toString(how.equals(WITH_MONITORS)))) {
            agent.next();
            long before = guests.scrapes();
            long begun = System.nanoTime();
            var columns = agent.next();
            double seconds = (System.nanoTime() - begun) / 1e9;
            System.out.println("| reached by | VMs | millicores a VM | heap KiB a VM | RSS KiB a VM | RSS MiB"
                    + " | fed a second | scraped a second |");
            System.out.println("|---|---|---|---|---|---|---|---|");
            System.out.println(
                    "| " + how + " | " + columns + " | " + Math.round((guests.scrapes() - before) / seconds) + " |");
        }
        System.exit(0);
    }
}
