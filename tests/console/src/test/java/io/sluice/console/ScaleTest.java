package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.console.api.SyntheticFleet;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A thousand nodes and twenty thousand VMs. {@code -Dconsole.heap.seconds=120} measures the heap of the page for two
 * minutes; without it a shorter time is measured.
 */
class ScaleTest extends BrowserTest {
    private static final int NODES = 1000;
    private static final int VMS_PER_NODE = 20;
    private static final int CHANGED_VMS = 200;
    private static final double FIRST_PAINT_BUSY_MAX = 5;
    private static final int DOM_NODES_MAX = 5000;
    private static final int WARM_UP_UPDATES = 20;
    private static final int MORE_UPDATES = 10;
    private static final double UPDATES_PER_SECOND_MAX = 4;
    private static final double HEAP_GROWTH_MAX = 0.10;
    private static final int HEAP_SECONDS = Integer.getInteger("console.heap.seconds", 20);

    private static final String FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime";
    private static final String UPDATES_AND_TIME = "[Number(document.body.dataset.updates), performance.now()]";
    private static final String FLEET_PAINT = """
        new Promise((painted) => new PerformanceObserver((list) => painted(list.getEntries()[0].renderTime))
          .observe({ type: 'element', buffered: true }))\
        """;

    /**
     * What the browser painted after which time, and the CPU time until then.
     *
     * @param ms the first content of the page, which is the frame
     * @param fleetMs the first content of the fleet
     */
    private record FirstPaint(double ms, double fleetMs, double busySeconds) {}

    @Test
    void showsALargeFleetSoonAndKeepsUpWithIt() {
        serve(SyntheticFleet.large(NODES, VMS_PER_NODE));
        var firstPaint = firstPaint();
        page.awaitText(".strip", "20\u202f000").screenshot("scale-overview");

        var watch = Executors.newSingleThreadScheduledExecutor();
        // Twice as often as the console draws.
        watch.scheduleAtFixedRate(() -> api.report(fleet.stir(CHANGED_VMS)), 0, 125, TimeUnit.MILLISECONDS);
        try {
            awaitUpdates(WARM_UP_UPDATES);
            long heapBefore = page.heapBytes();
            int domNodesBefore = page.domNodes();
            double busyBefore = page.busySeconds();
            double updatesPerSecond = updatesPerSecond(HEAP_SECONDS);
            double busy = (page.busySeconds() - busyBefore) / HEAP_SECONDS;
            long heapAfter = page.heapBytes();
            int domNodes = page.domNodes();
            double growth = (double) heapAfter / heapBefore - 1;

            System.out.printf(
                    "console at %d nodes, %d VMs: first paint %.0f ms, the fleet's %.0f ms (%.1f s of work), %d DOM"
                            + " nodes, %.2f updates a second, main thread busy %.0f %%, heap %.1f -> %.1f MB (%+.1f %%)"
                            + " in %d s%n",
                    NODES,
                    NODES * VMS_PER_NODE,
                    firstPaint.ms(),
                    firstPaint.fleetMs(),
                    firstPaint.busySeconds(),
                    domNodes,
                    updatesPerSecond,
                    busy * 100,
                    heapBefore / 1e6,
                    heapAfter / 1e6,
                    growth * 100,
                    HEAP_SECONDS);
            assertThat(firstPaint.ms()).isPositive().isLessThanOrEqualTo(firstPaint.fleetMs());
            assertThat(firstPaint.busySeconds()).isPositive().isLessThan(FIRST_PAINT_BUSY_MAX);
            assertThat(domNodes).isLessThan(DOM_NODES_MAX);
            // Rows are created and removed, with all that they allocated.
            assertThat(domNodes).isLessThan(domNodesBefore + DOM_NODES_MAX / 20);
            // One at the edge of the measured time is tolerated.
            assertThat(updatesPerSecond).isLessThanOrEqualTo(UPDATES_PER_SECOND_MAX + 1.0 / HEAP_SECONDS);
            assertThat(growth).isLessThan(HEAP_GROWTH_MAX);
            awaitUpdates(MORE_UPDATES);
        } finally {
            watch.shutdownNow();
        }
    }

    @Test
    void scrollsFiltersAndTabulatesALargeFleet() {
        serve(SyntheticFleet.large(NODES, VMS_PER_NODE));
        firstPaint();
        page.await("document.querySelector('.map')")
                .observe("document.querySelector('.map').focus({focusVisible: true})");

        page.press("End").awaitText("#map-option", "Node node-0999");
        page.screenshot("scale-end");
        page.press("f").type("vm-0500").await("document.querySelector('.map-space').offsetHeight < 1000");
        page.press("Escape", "m", "m").awaitText(".grid", "default/vm-0500-00");
        assertThat(page.observe("document.querySelector('.grid').getAttribute('aria-rowcount')")
                        .asInt())
                .isEqualTo(21);
        page.observe("location.hash = '#/?view=vms'");
        page.await("document.querySelector('.grid').getAttribute('aria-rowcount') === '20001'");
        assertThat(page.domNodes()).isLessThan(DOM_NODES_MAX);
        page.observe("document.querySelector('.grid').focus()");
        page.press("End").await("document.querySelector('.grid').scrollTop > 500000");
        page.screenshot("scale-vms");
    }

    /** From the request for the page to what the browser painted first, by its own clock. */
    private FirstPaint firstPaint() {
        page.go(server.url()).awaitFleet();
        double fleetMs = page.observe(FLEET_PAINT).asDouble();
        return new FirstPaint(page.observe(FIRST_PAINT).asDouble(), fleetMs, page.busySeconds());
    }

    private double updatesPerSecond(int seconds) {
        var from = page.observe(UPDATES_AND_TIME);
        Pause.milliseconds(TimeUnit.SECONDS.toMillis(seconds));
        var to = page.observe(UPDATES_AND_TIME);
        return (to.get(0).asLong() - from.get(0).asLong())
                / ((to.get(1).asDouble() - from.get(1).asDouble()) / 1000);
    }

    private void awaitUpdates(int more) {
        page.await("Number(document.body.dataset.updates) >= " + (updates() + more));
    }

    private long updates() {
        return page.observe("Number(document.body.dataset.updates)").asLong();
    }
}
