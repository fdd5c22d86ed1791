package io.sluice.simulation.planted;

import io.sluice.simulation.HistoryShape;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A possible mistake: some words in one source file of the product, and their replacement.
 *
 * @param name the mistake in a few words
 * @param file the source file, from the root of the project
 * @param edits all edits together make the mistake
 * @param firstSeed the search begins with this history; a mistake that breaks one of thousands names one that it breaks
 * @param pods the most pods that come and go through placement at once
 * @param gangs the most gangs at once that come and go
 * @param scaledPods number of pods that are resized in place
 * @param gatewayPauses whether the gateway stands still now and then
 */
record PlantedBug(
        String name,
        String file,
        List<Edit> edits,
        long firstSeed,
        int pods,
        int gangs,
        int scaledPods,
        boolean gatewayPauses) {
    private static final int PODS = 6;
    private static final int GANGS = 2;
    private static final int SCALED_PODS = 4;
    private static final String SOURCES = "src/main/java/";

    /**
     * Words that must occur in the file exactly once, and their replacement. Line breaks and indentation do not matter.
     */
    record Edit(String words, String instead) {}

    PlantedBug {
        edits = List.copyOf(edits);
    }

    static PlantedBug of(String name, String file, String words, String instead) {
        return new PlantedBug(name, file, List.of(new Edit(words, instead)), 1, 0, 0, 0, false);
    }

    PlantedBug and(String words, String instead) {
        return new PlantedBug(
                name,
                file,
                Stream.concat(edits.stream(), Stream.of(new Edit(words, instead)))
                        .toList(),
                firstSeed,
                pods,
                gangs,
                scaledPods,
                gatewayPauses);
    }

    PlantedBug from(long seed) {
        return new PlantedBug(name, file, edits, seed, pods, gangs, scaledPods, gatewayPauses);
    }

    /** Histories have pods that come and go. */
    PlantedBug withPods() {
        return new PlantedBug(name, file, edits, firstSeed, PODS, gangs, scaledPods, gatewayPauses);
    }

    /** Histories have gangs. */
    PlantedBug withGangs() {
        return new PlantedBug(name, file, edits, firstSeed, pods, GANGS, scaledPods, gatewayPauses);
    }

    /** Histories have pods that are resized in place. */
    PlantedBug withScaledPods() {
        return new PlantedBug(name, file, edits, firstSeed, pods, gangs, SCALED_PODS, gatewayPauses);
    }

    /** Histories have a gateway that stands still, and agents of the reference alone. */
    PlantedBug withGatewayPauses() {
        return new PlantedBug(name, file, edits, firstSeed, pods, gangs, scaledPods, true);
    }

    /** The shape of the histories in which it is to be found. */
    HistoryShape shape() {
        var shape = HistoryShape.standard().withPods(pods).withGangs(gangs).withScaledPods(scaledPods);
        return gatewayPauses ? shape.withGatewayPauses() : shape;
    }

    /** The qualified name of the file's class. */
    String className() {
        return file.substring(file.indexOf(SOURCES) + SOURCES.length())
                .replace(".java", "")
                .replace('/', '.');
    }

    /** The simple name of the file's class. */
    String where() {
        return className().substring(className().lastIndexOf('.') + 1);
    }

    /** The source with the mistake. */
    String plantedIn(String source) {
        var planted = source;
        for (var edit : edits) {
            planted = replaced(planted, edit);
        }
        return planted;
    }

    private String replaced(String source, Edit edit) {
        var places = Stream.of(edit.words().strip().split("\\s+"))
                .map(Pattern::quote)
                .collect(Collectors.joining("\\s+"));
        var matcher = Pattern.compile(places).matcher(source);
        long found = matcher.results().count();
        if (found != 1) {
            throw new AssertionError("\"" + name + "\" cannot be planted: these words occur " + found + " times in "
                    + file + ", and must once: " + edit.words());
        }
        return matcher.reset().replaceFirst(Matcher.quoteReplacement(edit.instead()));
    }
}
