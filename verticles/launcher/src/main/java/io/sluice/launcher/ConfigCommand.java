package io.sluice.launcher;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Looks at config files without starting anything. */
@Command(
        name = "config",
        description = "Looks at config files.",
        mixinStandardHelpOptions = true,
        subcommands = ConfigCommand.Check.class)
final class ConfigCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        System.err.println("sluice: say what to do with the config: check FILE");
        return Main.MISUSED;
    }

    /** Says whether a process would start by a file: every mistake in it, or the roles that it names. */
    @Command(
            name = "check",
            description = "Says what is wrong with a config file, overridden as it would be here; starts nothing.",
            mixinStandardHelpOptions = true)
    static final class Check implements Callable<Integer> {
        @Parameters(paramLabel = "FILE", description = "the YAML file")
        private Path file;

        @Override
        public Integer call() {
            var settings = Settings.read(ProcessConfigSources.of(file));
            System.out.println(file + " is good; it runs "
                    + settings.config().roleSet().stream()
                            .map(role -> role.key())
                            .sorted()
                            .collect(Collectors.joining(", "))
                    + ".");
            return Main.OK;
        }
    }
}
