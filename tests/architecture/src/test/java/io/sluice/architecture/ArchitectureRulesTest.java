package io.sluice.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** The rules of the project that a class file can break. */
@AnalyzeClasses(packages = "io.sluice", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureRulesTest {
    /** The root packages of the verticle modules. */
    private static final List<String> ROOMS = List.of(
            "ledger",
            "pressure",
            "placement",
            "agent",
            "monitor",
            "neonvm",
            "billing",
            "workers",
            "pods",
            "gateway",
            "lab");

    private static final DescribedPredicate<CodeUnitCallTarget> READS_A_CLOCK = DescribedPredicate.describe(
            "reads a clock",
            called -> (called.getOwner().getPackageName().equals("java.time")
                            && called.getName().equals("now"))
                    || (called.getOwner().isEquivalentTo(System.class)
                            && List.of("nanoTime", "currentTimeMillis").contains(called.getName())));

    @ArchTest
    static final ArchRule CORES_DO_NOTHING = noClasses()
            .that()
            .resideInAPackage("io.sluice..core..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.vertx..",
                    "com.hazelcast..",
                    "org.slf4j..",
                    "io.micrometer..",
                    "java.io..",
                    "java.net..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.util.concurrent..")
            .because("a core decides; its verticle acts, logs and reads the clock");

    @ArchTest
    static final ArchRule WORDS_DO_NOTHING = noClasses()
            .that()
            .resideInAnyPackage("io.sluice.units..", "io.sluice.devices..", "io.sluice.messages..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.vertx..",
                    "io.sluice.bus..",
                    "io.sluice.codecs..",
                    "io.sluice.wire..",
                    "org.slf4j..",
                    "java.io..")
            .because("cores import messages, so messages are as pure as cores");

    @ArchTest
    static final ArchRule CORES_TAKE_THE_TIME = noClasses()
            .that()
            .resideInAPackage("io.sluice..core..")
            .should()
            .callMethodWhere(target(READS_A_CLOCK))
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(InstantSource.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class)
            .because("the same history must give the same decisions, in a test and after a fault");

    @ArchTest
    static final ArchRule CORES_ARE_NOT_LEFT_TO_CHANCE = noClasses()
            .that()
            .resideInAPackage("io.sluice..core..")
            .should()
            .callConstructor(Random.class)
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .because("random numbers are passed in, with their seed");

    @ArchTest
    static final ArchRule ONLY_THE_BUS_TOUCHES_THE_EVENT_BUS = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.bus..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx.core.eventbus..")
            .orShould()
            .callMethod(Vertx.class, "eventBus")
            .because("an address is a typed constant with a codec, a timeout and a bound");

    @ArchTest
    static final ArchRule NO_CODE_SLEEPS = noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .because("an event loop that sleeps serves no other work");

    @ArchTest
    static final ArchRule ONLY_TWO_CLASSES_USE_THE_LAB = noClasses()
            .that()
            .resideOutsideOfPackage("io.sluice.lab..")
            .and()
            .doNotHaveSimpleName("LabStarter")
            .and()
            .doNotHaveSimpleName("LabSection")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.sluice.lab..")
            .because("what runs without the lab never loads it");

    @ArchTest
    static final ArchRule CORES_USE_NO_SHELL_OF_THEIR_MODULE = noClasses()
            .that()
            .resideInAPackage("io.sluice..core..")
            .should()
            .dependOnClassesThat(DescribedPredicate.describe(
                    "are neither of a core nor shared by all modules",
                    used -> used.getPackageName().startsWith("io.sluice.")
                            && !used.getPackageName().matches(".*\\.core(\\..*)?")
                            && !used.getPackageName().matches("io\\.sluice\\.(messages|units|devices|shell)(\\..*)?")))
            .because("shells call cores, and a core's config record lives in the core");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CIRCLE = slices().assignedFrom(new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass type) {
                    return SliceIdentifier.of(type.getPackageName());
                }

                @Override
                public String getDescription() {
                    return "packages";
                }
            })
            .should()
            .beFreeOfCycles();

    @ArchTest
    static void verticlesNeverCallEachOther(JavaClasses classes) {
        for (var room : ROOMS) {
            var others = ROOMS.stream()
                    .filter(other -> !other.equals(room))
                    .map(other -> "io.sluice." + other + "..")
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage("io.sluice." + room + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(others)
                    .orShould()
                    .dependOnClassesThat()
                    .resideInAPackage("io.sluice.launcher..")
                    .because("verticles meet on the bus")
                    .check(classes);
        }
    }
}
