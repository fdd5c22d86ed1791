package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.console.api.ConsoleServer;
import io.sluice.console.api.ScriptedApi;
import io.sluice.console.api.SyntheticDocuments;
import io.sluice.console.api.SyntheticFleet;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/**
 * Opens the console in a browser on a scripted fleet. After each test the page must be without problems: no exception,
 * nothing refused by the content security policy, nothing that could not be loaded.
 */
abstract class BrowserTest {
    private static final Duration HAPPENS_WITHIN = Duration.ofSeconds(90);

    protected SyntheticFleet fleet;
    protected ScriptedApi api;
    protected ConsoleServer server;
    protected Page page;

    @BeforeAll
    static void needsABrowser() {
        assumeTrue(
                Chromium.program().isPresent(),
                "There is no Chromium on this machine, so the console is not tested: install Debian's package chromium,"
                        + " or name a browser with -Dsluice.chromium=PROGRAM");
    }

    /** Serves the fleet, and gives the test an empty page. */
    protected void serve(SyntheticFleet shown) {
        fleet = shown;
        api = new ScriptedApi(shown).documents(new SyntheticDocuments(shown));
        server = new ConsoleServer(api);
        page = Chromium.shared().open();
    }

    /** Opens a page of the console on the small fleet, and waits for its first full state. */
    protected void open(String hash) {
        serve(SyntheticFleet.small());
        page.go(server.url() + hash);
        page.awaitFleet();
    }

    /** Waits for a condition in this process. */
    protected static void await(BooleanSupplier happened) {
        Awaitility.await().atMost(HAPPENS_WITHIN).until(happened::getAsBoolean);
    }

    @AfterEach
    void closesWithoutProblems() {
        if (page == null) {
            return;
        }
        var problems = page.problems();
        page.close();
        server.close();
        assertThat(problems).as("problems of the page").isEmpty();
    }
}
