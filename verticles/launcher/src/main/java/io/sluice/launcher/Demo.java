package io.sluice.launcher;

import io.sluice.billing.BillingConfig;
import io.sluice.launcher.config.DemoConfig;
import io.sluice.launcher.config.Settings;
import io.sluice.launcher.config.SluiceConfig;
import io.sluice.shell.config.Durations;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs all roles with an embedded fleet in this process. Prints each decision, and at the end a summary and the bills.
 */
final class Demo {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private final ProcessLifetime life;
    private final PrintStream out;

    Demo(ProcessLifetime life, PrintStream out) {
        this.life = life;
        this.out = out;
    }

    /** Runs until the process is to end, or for the time that was requested. Returns the exit status. */
    int run(Settings configured, DemoConfig request) throws Exception {
        var settings = atFreePorts(configured);
        var story = new DemoVerticle(this::print);
        var runtime = RoleRuntime.start(settings, Optional.of(story));
        print(opening(settings, runtime, request));
        if (request.duration().isZero()) {
            life.await();
        } else {
            life.awaitAge(request.duration());
        }
        var breaches = end(runtime, story);
        boolean stopped = runtime.stop();
        boolean billed = bill(runtime, settings.config().billing());
        return breaches.isEmpty() && stopped && billed ? Main.OK : Main.FAILED;
    }

    /**
     * Takes the next free ports if the usual ones are taken, and keeps its bills in a directory of its own. Further VMs
     * arrive, and are placed through its own extender.
     */
    private static Settings atFreePorts(Settings settings) throws IOException {
        var config = settings.config();
        var gateway = config.gateway().atPorts(FreePort::from);
        var extender =
                "http://" + gateway.extender().host() + ":" + gateway.extender().port();
        return new Settings(
                config.with(gateway, bills(config)), settings.lab().map(section -> section.placedThrough(extender)));
    }

    private static BillingConfig bills(SluiceConfig config) throws IOException {
        return config.billing().directory().equals(BillingConfig.DEFAULTS.directory())
                ? config.billing().in(Files.createTempDirectory("sluice-demo-"))
                : config.billing();
    }

    private List<String> end(RoleRuntime runtime, DemoVerticle story) throws StartException {
        var used = runtime.lab().map(LabStarter::usedCores).orElse(0.0);
        var end = BlockingWait.on(story.end(used), ANSWER_MAX, "the ledger did not report its final state");
        print("");
        end.summary().lines().forEach(this::print);
        var breaches = new ArrayList<>(end.breaches());
        runtime.lab().flatMap(LabStarter::breach).ifPresent(breaches::add);
        breaches.forEach(breach -> print("broken: " + breach));
        return breaches;
    }

    /** Compares what was billed with the lab's account, once everything has stopped. */
    private boolean bill(RoleRuntime runtime, BillingConfig billing) throws IOException {
        var lab = runtime.lab().filter(LabStarter::isOwn);
        if (lab.isEmpty() || !billing.file().on()) {
            return true;
        }
        var bill = DemoBill.read(billing, lab.get());
        bill.lines().forEach(this::print);
        bill.breaches().forEach(breach -> print("broken: " + breach));
        return bill.breaches().isEmpty();
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }

    private static String opening(Settings settings, RoleRuntime runtime, DemoConfig request) {
        var listeners = settings.config().gateway();
        return "Sluice scales " + runtime.lab().map(LabStarter::fleet).orElse("0 VMs")
                + " of an embedded fleet; the agent API is at http://"
                + listeners.agent().host() + ":"
                + listeners.agent().port() + "/, metrics at http://"
                + listeners.ops().host() + ":"
                + listeners.ops().port() + "/metrics. "
                + runtime.consolePort()
                        .map(port -> "The console is at http://"
                                + listeners.console().host() + ":" + port + "/. ")
                        .orElse("")
                + "Bills are in " + settings.config().billing().file().directory() + ". "
                + (request.duration().isZero()
                        ? "Ctrl-C ends it."
                        : "It ends after " + Durations.text(request.duration()) + ".");
    }
}
