package io.sluice.launcher.client;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script by which a shell completes commands and options. */
@Command(
        name = "completion",
        description = {
            "Prints a script by which a shell completes commands and options.",
            "bash, zsh: source <(sluice completion bash); fish: sluice completion fish | source"
        },
        mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
    private static final String PROGRAM = "sluice";

    @Parameters(index = "0", paramLabel = "bash|zsh|fish", description = "the shell")
    private Shell shell;

    @Spec
    private CommandSpec spec;

    private final PrintStream out = System.out;

    /** A shell that can complete. */
    enum Shell {
        /** GNU's. */
        BASH,
        /** It reads scripts for bash. */
        ZSH,
        /** The friendly one. */
        FISH
    }

    @Override
    public Integer call() {
        var program = spec.root().commandLine();
        if (shell == Shell.FISH) {
            fish(program).forEach(out::println);
        } else {
            out.print(AutoComplete.bash(PROGRAM, program));
        }
        return 0;
    }

    private static Stream<String> fish(CommandLine program) {
        return program.getSubcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .flatMap(command -> Stream.concat(
                        Stream.of("complete -c " + PROGRAM + " -f -n __fish_use_subcommand -a " + command.name()
                                + " -d " + quoted(command.usageMessage().description())),
                        command.options().stream().map(option -> fish(command.name(), option))));
    }

    private static String fish(String command, OptionSpec option) {
        var names = new StringBuilder();
        for (var name : option.names()) {
            names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        return "complete -c " + PROGRAM + " -n '__fish_seen_subcommand_from " + command + "'" + names
                + (option.arity().max() > 0 ? " -r" : "") + " -d " + quoted(option.description());
    }

    /** The first sentence of a description, as a word of the shell. */
    private static String quoted(String... description) {
        var first = description.length == 0 ? "" : description[0];
        return "'" + first.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
