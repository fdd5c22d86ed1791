package io.sluice.launcher;

import io.sluice.launcher.config.DemoConfig;
import io.sluice.launcher.config.Settings;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.Durations;
import java.nio.file.Path;
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
    @ParentCommand
    private Main main;

    @Option(names = "--config", paramLabel = "FILE", description = "another config file than the demo's own")
    private Optional<Path> config;

    @Option(names = "--duration", paramLabel = "TIME", description = "end with a summary this long after the start: 2m")
    private Optional<String> duration;

    @Option(names = "--end-with-parent", description = "end when the parent process ends")
    private boolean endWithParent;

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
        return new Demo(main.life(), System.out)
                .run(
                        settings,
                        duration.map(DemoCommand::forTime)
                                .orElse(settings.config().demo()));
    }

    private static DemoConfig forTime(String duration) {
        try {
            return new DemoConfig(Durations.parse(duration)
                    .orElseThrow(() -> new IllegalArgumentException("it must be a duration such as 90s or 2m")));
        } catch (IllegalArgumentException refused) {
            throw new ConfigException(List.of("--duration " + duration + ": " + refused.getMessage() + "."));
        }
    }

    private static Path ownConfig() {
        var home = System.getProperty(Main.HOME_PROPERTY);
        if (home == null) {
            throw new ConfigException(List.of("the demo's config is found by bin/sluice; without it, give --config."));
        }
        return Path.of(home, "config", "demo.yaml");
    }
}
