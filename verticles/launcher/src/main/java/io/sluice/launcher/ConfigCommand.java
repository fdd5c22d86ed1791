package io.sluice.launcher;

import io.sluice.launcher.config.Settings;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks config files without starting anything. */
@Command(
        name = "config",
        description = "Checks config files.",
        mixinStandardHelpOptions = true,
        subcommands = ConfigCommand.Check.class)
final class ConfigCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        System.err.println("sluice: a subcommand is missing: check FILE");
        return Main.MISUSED;
    }

    /** Reports whether a process would start with a file: every mistake in it, or the roles that it names. */
    @Command(
            name = "check",
            description = "Prints every mistake in a config file, with this environment's overrides; starts nothing.",
            mixinStandardHelpOptions = true)
    static final class Check implements Callable<Integer> {
        @Parameters(paramLabel = "FILE", description = "the YAML file")
        private Path file;

        @Override
        public Integer call() {
            var settings = Settings.read(ProcessConfigSources.of(file));
            System.out.println(file + " is valid; its roles are "
                    + settings.config().roleSet().stream()
                            .map(role -> role.key())
                            .sorted()
                            .collect(Collectors.joining(", "))
                    + ".");
            return Main.OK;
        }
    }
}
