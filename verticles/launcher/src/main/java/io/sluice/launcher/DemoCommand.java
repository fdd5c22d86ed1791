package io.sluice.launcher;

import io.sluice.billing.BillingConfig;
import io.sluice.launcher.config.DemoConfig;
import io.sluice.launcher.config.Settings;
import io.sluice.launcher.config.SluiceConfig;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.Durations;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Runs everything beside an embedded fleet and prints each decision. */
@Command(
        name = "demo",
        description = "Scales an embedded fleet under recorded load and prints each decision, until Ctrl-C.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    @ParentCommand
    private Main main;

    @Option(names = "--config", paramLabel = "FILE", description = "another config file than the demo's own")
    private Optional<Path> config;

    @Option(names = "--duration", paramLabel = "TIME", description = "end with a summary this long after the start: 2m")
    private Optional<String> duration;

    @Option(names = "--end-with-parent", description = "end when the parent process ends")
    private boolean endWithParent;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws Exception {
        // Set before the first logger is made, so that output of the demo and of its log do not mix.
        System.setProperty("logback.configurationFile", "logback-demo.xml");
        if (endWithParent) {
            main.life()
                    .endWith(Long.getLong(
                            Main.PARENT_PROPERTY, ProcessHandle.current().pid()));
        }
        var settings = Settings.read(ProcessConfigSources.of(config.orElseGet(DemoCommand::ownConfig)));
        var request = options(settings.config().demo());
        var config = settings.config();
        // Takes the next free ports if its usual ones are taken, and keeps its bills in a directory of its own.
        return run(
                new Settings(config.with(config.gateway().atPorts(FreePort::from), bills(config)), settings.lab()),
                request);
    }

    private static BillingConfig bills(SluiceConfig config) throws IOException {
        return config.billing().directory().equals(BillingConfig.DEFAULTS.directory())
                ? config.billing().in(Files.createTempDirectory("sluice-demo-"))
                : config.billing();
    }

    private DemoConfig options(DemoConfig configured) {
        if (duration.isEmpty()) {
            return configured;
        }
        try {
            return new DemoConfig(Durations.parse(duration.get())
                    .orElseThrow(() -> new IllegalArgumentException("it must be a duration such as 90s or 2m")));
        } catch (IllegalArgumentException refused) {
            throw new ConfigException(List.of("--duration " + duration.get() + ": " + refused.getMessage() + "."));
        }
    }

    private int run(Settings settings, DemoConfig request) throws Exception {
        var story = new DemoVerticle(this::print);
        var runtime = RoleRuntime.start(settings, Optional.of(story));
        print(opening(settings, runtime, request));
        if (request.duration().isZero()) {
            main.life().await();
        } else {
            main.life().awaitAge(request.duration());
        }
        var breaches = end(runtime, story);
        boolean stopped = runtime.stop();
        boolean billed = bill(runtime, settings.config().billing());
        return breaches.isEmpty() && stopped && billed ? Main.OK : Main.FAILED;
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
        return "Sluice scales " + runtime.lab().map(LabStarter::guests).orElse(0)
                + " VMs of an embedded fleet; the agent API is at http://"
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

    private static Path ownConfig() {
        var home = System.getProperty(Main.HOME_PROPERTY);
        if (home == null) {
            throw new ConfigException(List.of("the demo's config is found by bin/sluice; without it, give --config."));
        }
        return Path.of(home, "config", "demo.yaml");
    }
}
