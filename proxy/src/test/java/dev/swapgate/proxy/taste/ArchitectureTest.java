package dev.swapgate.proxy.taste;

import static dev.swapgate.proxy.taste.House.isOurs;
import static dev.swapgate.proxy.taste.House.room;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The arrows of the house, the purity of the core and the one room of each library. */
class ArchitectureTest {
  private static final String TURNSTILE = "dev.swapgate.gate.runtime.Turnstile";

  private static JavaClasses house;

  @BeforeAll
  static void readTheHouse() {
    house =
        new ClassFileImporter()
            .withImportOption(at -> !at.contains("/test-classes/") && !at.contains("-tests.jar"))
            .importPackages("dev.swapgate");
  }

  @Test
  void everyRoomIsOnThePlan() {
    Set<String> rooms = rooms();

    assertThat(House.ARROWS.keySet())
        .as("a new room gets its arrows in House.ARROWS first")
        .containsAll(rooms);
  }

  @Test
  void roomsSeeOnlyWhereTheirArrowsPoint() {
    Set<String> breaches =
        breaches(
            use ->
                isOurs(to(use).getPackageName())
                    && !fromRoom(use).equals(room(to(use).getPackageName()))
                    && !House.ARROWS
                        .getOrDefault(fromRoom(use), Set.of())
                        .contains(room(to(use).getPackageName())));

    assertThat(breaches).as("arrows are in House.ARROWS").isEmpty();
  }

  @Test
  void coreDecidesFromValuesAlone() {
    Set<String> breaches =
        breaches(
            use ->
                fromRoom(use).equals("gate.core")
                    && (!House.CORE_PACKAGES.contains(to(use).getPackageName())
                        || House.NOT_FOR_THE_CORE.contains(to(use).getName())));

    assertThat(breaches)
        .as("what the core needs comes in as a value; time comes as a parameter called now")
        .isEmpty();
  }

  @Test
  void eachLibraryLivesInItsRoom() {
    Set<String> breaches =
        breaches(
            use ->
                House.LIBRARIES.entrySet().stream()
                    .anyMatch(
                        library ->
                            to(use).getName().startsWith(library.getKey())
                                && !library.getValue().contains(fromRoom(use))));

    assertThat(breaches).as("rooms are in House.LIBRARIES").isEmpty();
  }

  @Test
  void roomsDoWithoutWhatTheyShouldNotKnow() {
    Set<String> breaches =
        breaches(
            use ->
                House.STRANGERS.entrySet().stream()
                    .anyMatch(
                        stranger ->
                            to(use).getName().startsWith(stranger.getKey())
                                && stranger.getValue().contains(fromRoom(use))));

    assertThat(breaches).as("strangers are in House.STRANGERS").isEmpty();
  }

  @Test
  void onlyTheTurnstileOfTheGateIsAtomic() {
    Set<String> breaches =
        breaches(
            use ->
                fromRoom(use).startsWith("gate.")
                    && to(use).getPackageName().equals("java.util.concurrent.atomic")
                    && !use.getOriginClass().getName().startsWith(TURNSTILE)
                    && !isNumberOfARequest(use));

    assertThat(breaches).as("the gate has one writer; others post it events").isEmpty();
  }

  /** What asks the gate's thread is numbered by whoever asks, which decides nothing. */
  private static boolean isNumberOfARequest(Dependency use) {
    return use.getOriginClass().getSimpleName().equals("GateThread")
        && to(use).getSimpleName().equals("AtomicLong");
  }

  @Test
  void ourExceptionsAreUnchecked() {
    Set<String> checked =
        ours()
            .filter(c -> c.isAssignableTo(Exception.class))
            .filter(c -> !c.isAssignableTo(RuntimeException.class))
            .map(JavaClass::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(checked).isEmpty();
  }

  @Test
  void namesSayWhatAThingIs() {
    Set<String> hollow =
        ours()
            .filter(
                c -> c.getSimpleName().matches(".*(Manager|Helper|Utils?|Impl)|(Base|Abstract).*"))
            .map(JavaClass::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(hollow).as("a type is a noun of the domain").isEmpty();
  }

  @Test
  void accessorsHaveNoGet() {
    Set<String> getters =
        ours()
            .flatMap(c -> c.getMethods().stream())
            .filter(m -> m.getName().matches("get[A-Z].*"))
            .filter(m -> !m.getModifiers().contains(JavaModifier.SYNTHETIC))
            .filter(m -> !overrides(m))
            .map(JavaMethod::getFullName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(getters).as("status(), not getStatus()").isEmpty();
  }

  private static boolean overrides(JavaMethod method) {
    JavaClass owner = method.getOwner();
    return Stream.concat(
            owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
        .flatMap(above -> above.getMethods().stream())
        .anyMatch(
            above ->
                above.getName().equals(method.getName())
                    && above.getRawParameterTypes().size() == method.getRawParameterTypes().size());
  }

  private static Set<String> rooms() {
    return ours().map(c -> room(c.getPackageName())).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<JavaClass> ours() {
    return house.stream().filter(c -> !c.getSimpleName().equals("package-info"));
  }

  private static Set<String> breaches(Predicate<Dependency> wrong) {
    return ours()
        .flatMap(c -> c.getDirectDependenciesFromSelf().stream())
        .filter(wrong)
        .map(Dependency::getDescription)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String fromRoom(Dependency use) {
    return room(use.getOriginClass().getPackageName());
  }

  /** What is used; of an array, what it is an array of. */
  private static JavaClass to(Dependency use) {
    return use.getTargetClass().getBaseComponentType();
  }
}
