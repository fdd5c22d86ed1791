package io.sluice.launcher;

import io.sluice.billing.BillingConfig;
import io.sluice.shell.config.ConfigException;
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

/** Runs everything beside an embedded fleet and prints what is decided. */
@Command(
        name = "demo",
        description = "Scales an embedded fleet under recorded load and prints each decision, until Ctrl-C.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    @ParentCommand
    private Main main;

    @Option(names = "--config", paramLabel = "FILE", description = "another config than the demo's own")
    private Optional<Path> config;

    @Option(names = "--seconds", paramLabel = "N", description = "end with a summary N seconds after the start")
    private Optional<Integer> seconds;

    @Option(names = "--end-with-parent", description = "end when the process that started this one does")
    private boolean endWithParent;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws Exception {
        // Before the first logger: lines of the demo and of its log would mix.
        System.setProperty("logback.configurationFile", "logback-demo.xml");
        if (endWithParent) {
            main.life()
                    .endWith(Long.getLong(
                            Main.PARENT_PROPERTY, ProcessHandle.current().pid()));
        }
        var settings = Settings.read(ProcessConfigSources.of(config.orElseGet(DemoCommand::ownConfig)));
        var asked = asked(settings.config().demo());
        var config = settings.config();
        // Beside something else on its usual ports it takes the next free ones; its bills are nobody else's.
        return run(
                new Settings(config.with(config.gateway().atPorts(FreePort::from), bills(config)), settings.lab()),
                asked);
    }

    private static BillingConfig bills(SluiceConfig config) throws IOException {
        return config.billing().directory().equals(BillingConfig.DEFAULTS.directory())
                ? config.billing().in(Files.createTempDirectory("sluice-demo-"))
                : config.billing();
    }

    private DemoConfig asked(DemoConfig configured) {
        try {
            return seconds.map(DemoConfig::new).orElse(configured);
        } catch (IllegalArgumentException refused) {
            throw new ConfigException(List.of("--seconds: " + refused.getMessage() + "."));
        }
    }

    private int run(Settings settings, DemoConfig asked) throws Exception {
        var story = new DemoVerticle(this::say);
        var house = RoleRuntime.start(settings, Optional.of(story));
        say(opening(settings, house, asked));
        if (asked.seconds() == 0) {
            main.life().await();
        } else {
            main.life().awaitAge(Duration.ofSeconds(asked.seconds()));
        }
        var breaches = end(house, story);
        boolean stopped = house.stop();
        boolean billed = bill(house, settings.config().billing());
        return breaches.isEmpty() && stopped && billed ? Main.OK : Main.FAILED;
    }

    private List<String> end(RoleRuntime house, DemoVerticle story) throws StartException {
        var used = house.lab().map(LabStarter::usedCores).orElse(0.0);
        var end = BlockingWait.on(story.end(used), ANSWER_MAX, "the ledger gave no last account");
        say("");
        end.summary().lines().forEach(this::say);
        var breaches = new ArrayList<>(end.breaches());
        house.lab().flatMap(LabStarter::breach).ifPresent(breaches::add);
        breaches.forEach(breach -> say("broken: " + breach));
        return breaches;
    }

    /** What was billed is known once everybody has stopped; whether it is what the fleet says that its VMs had. */
    private boolean bill(RoleRuntime house, BillingConfig billing) throws IOException {
        var lab = house.lab().filter(LabStarter::isOwn);
        if (lab.isEmpty() || !billing.file().on()) {
            return true;
        }
        var bill = DemoBill.read(billing, lab.get()::held);
        bill.lines().forEach(this::say);
        bill.breaches().forEach(breach -> say("broken: " + breach));
        return bill.breaches().isEmpty();
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    private static String opening(Settings settings, RoleRuntime house, DemoConfig asked) {
        var doors = settings.config().gateway();
        return "Sluice scales " + house.lab().map(LabStarter::guests).orElse(0)
                + " VMs of an embedded fleet; agents are served at http://"
                + doors.agent().host() + ":"
                + doors.agent().port() + "/, metrics at http://" + doors.ops().host() + ":"
                + doors.ops().port() + "/metrics. "
                + house.consolePort()
                        .map(port ->
                                "The console is at http://" + doors.console().host() + ":" + port + "/. ")
                        .orElse("")
                + "Bills are in " + settings.config().billing().file().directory() + ". "
                + (asked.seconds() == 0 ? "Ctrl-C ends it." : "It ends after " + asked.seconds() + " s.");
    }

    private static Path ownConfig() {
        var home = System.getProperty(Main.HOME_PROPERTY);
        if (home == null) {
            throw new ConfigException(List.of("the demo's config is found by bin/sluice; without it, give --config."));
        }
        return Path.of(home, "config", "demo.yaml");
    }
}
